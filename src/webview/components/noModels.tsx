import type { VNode } from 'preact';
import type { WindowFacts } from '../../protocol/status';
import { suggestedModels } from '../../protocol/suggestedModels';
import { formatBytes } from '../format';
import { popupWords } from '../popupWords';
import { isSameModel, pullOf } from '../store/modelName';
import { strings } from '../strings';
import { usePage } from './context';
import { PullRow } from './pullRow';

/** Ollama answers, but holds no model: which ones to take, and how far they are. */
export function NoModels({ facts, version }: { facts: WindowFacts; version: string }): VNode {
  const page = usePage();
  const words = popupWords.pull;
  const { models, gigabytes } = suggestedModels(facts.memory);
  const others = (facts.pulls ?? []).filter((pull) => !models.some(({ name }) => isSameModel(name, pull.model)));
  return (
    <div class="empty">
      <div>
        <h1>{words.title}</h1>
        <p class="muted">{words.text(version, gigabytes)}</p>
      </div>
      <div class="frame" role="group" aria-label={words.suggested}>
        {others.map((pull) => (
          <PullRow key={pull.model} name={pull.model} facts="" pull={pull} />
        ))}
        {models.map(({ name, bytes, abilities }) => (
          <PullRow key={name} name={name} facts={`${formatBytes(bytes)} · ${abilities}`} pull={pullOf(facts, name)} />
        ))}
      </div>
      <div class="acts">
        <button class="btn second" type="button" onClick={() => void page.run('pullModel')}>
          {words.another}
        </button>
        <button class="btn ghost" type="button" onClick={() => void page.run('chooseHost')}>
          {strings.noServer.chooseHost}
        </button>
      </div>
    </div>
  );
}
