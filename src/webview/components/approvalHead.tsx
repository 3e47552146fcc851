import type { ComponentChildren, VNode } from 'preact';
import type { ApprovalRequest } from '../../protocol/approval';
import { approvalWords, folderOf, questionOf, whyWords } from '../approvalWords';
import { plain } from '../plain';
import { usePage } from './context';
import { Counts } from './diff';
import { Icon } from './icon';

/** Reasons that make a card yellow: what is asked for may do more than its text says, or cannot be undone. */
const DANGERS = new Set(['outside', 'settings', 'hooks', 'own_data', 'profile']);

/** Nothing is said of it: commands are written for it. */
const USUAL_SHELL = 'bash';

const ICONS = {
  edit: 'edit',
  read: 'file',
  command: 'terminal',
  input: 'terminal',
  memory: 'bookmark',
  other: 'tools',
} as const;

/** Whether leave should not be given lightly: no key gives it, and the button that stands out denies. */
export function isDanger({ reasons }: ApprovalRequest): boolean {
  return reasons.some((reason) => DANGERS.has(reason));
}

/** What is asked, where, and why the person is asked. */
export function ApprovalHead({ request }: { request: ApprovalRequest }): VNode {
  const folder = usePage().facts.value?.folder;
  const danger = isDanger(request);
  const why = request.reasons.flatMap((reason) => whyWords(reason, request.subject, folder) ?? []);
  return (
    <>
      <div class="head">
        <Icon name={danger ? 'warning' : ICONS[request.subject.kind]} />
        <div>
          <div class="title">{plain(questionOf(request))}</div>
          <Where request={request} folder={folder} />
        </div>
      </div>
      {why.map((words) => (
        <div class="why" key={words}>
          {words}
        </div>
      ))}
    </>
  );
}

function Where({ request, folder }: { request: ApprovalRequest; folder: string | undefined }): VNode | null {
  const { subject } = request;
  switch (subject.kind) {
    case 'edit': {
      const { change, outside } = subject;
      const place = outside ? undefined : folderOf(change.path);
      return (
        <>
          {outside && <Path path={change.path} />}
          <Facts
            facts={[
              place === undefined || place === '' ? undefined : plain(place),
              change.kind === 'created' ? approvalWords.newFile : undefined,
              <Counts change={change} />,
            ]}
          />
        </>
      );
    }
    case 'read':
      return <Path path={subject.path} />;
    case 'command': {
      const lines = subject.command.trimEnd().split('\n').length;
      return (
        <Facts
          facts={[
            approvalWords.where(subject.folder === '.' ? (folder ?? subject.folder) : plain(subject.folder)),
            subject.timeoutMs === undefined ? approvalWords.background : approvalWords.stopsAfter(subject.timeoutMs),
            subject.shell === USUAL_SHELL ? undefined : subject.shell,
            lines > 1 ? approvalWords.lines(lines) : undefined,
          ]}
        />
      );
    }
    case 'input':
      return <Path path={subject.command} />;
    case 'memory':
      return (
        <Facts
          facts={[
            subject.scope === 'everywhere'
              ? approvalWords.everywhere
              : approvalWords.forFolder(folder ?? 'this folder'),
          ]}
        />
      );
    case 'other':
      return subject.from === undefined ? null : <Facts facts={[approvalWords.from(plain(subject.from))]} />;
  }
}

function Path({ path }: { path: string }): VNode {
  return (
    <div class="sub mono" dir="ltr">
      {plain(path)}
    </div>
  );
}

/** Facts in one line, with points between them. */
function Facts({ facts }: { facts: readonly ComponentChildren[] }): VNode {
  const said = facts.filter((fact) => fact !== undefined);
  return (
    <div class="sub">
      {said.map((fact, index) => (
        <span key={index}>
          {index > 0 && ' · '}
          {fact}
        </span>
      ))}
    </div>
  );
}
