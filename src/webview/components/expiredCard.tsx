import type { VNode } from 'preact';
import { subjectWords, type ApprovalRequest } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { plain } from '../plain';
import { Icon } from './icon';

/** A request that nobody answered in time: nothing was done, and nothing can be done about it here. */
export function ExpiredCard({ request, endedAt }: { request: ApprovalRequest; endedAt: number | undefined }): VNode {
  const { subject, askedAt } = request;
  const what = plain(subjectWords(subject));
  return (
    <div class="frame ask gone" role="group" aria-label={approvalWords.expiredName(what)}>
      <div class="head">
        <Icon name="circle-slash" />
        <div>
          <div class="title">
            {approvalWords.notRun}{' '}
            {subject.kind === 'command' ? <span class="mono">{what.replace(/^run /, '')}</span> : what}
          </div>
          <div class="sub">{approvalWords.expired(askedAt, endedAt)}</div>
        </div>
      </div>
    </div>
  );
}
