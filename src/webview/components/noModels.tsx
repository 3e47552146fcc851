import type { VNode } from 'preact';
import { strings } from '../strings';
import { usePage } from './context';
import { CopyLine } from './copy';

/** Models that can use tools, small enough for most computers. Sizes are those of the library of Ollama. */
const SUGGESTED = [
  { name: 'qwen3:8b', facts: '5.2 GB · tools' },
  { name: 'qwen2.5-coder:7b', facts: '4.7 GB · code, tools' },
  { name: 'llama3.2:3b', facts: '2.0 GB · small and quick, tools' },
] as const;

/** Ollama answers, but holds no model: which ones to take, and the command for each. */
export function NoModels({ version }: { version: string }): VNode {
  const page = usePage();
  const words = strings.noModels;
  return (
    <div class="empty">
      <div>
        <h1>{words.title}</h1>
        <p class="muted">{words.text(version)}</p>
      </div>
      <div class="frame" role="group" aria-label={words.suggested}>
        {SUGGESTED.map(({ name, facts }) => (
          <div class="pull" role="group" aria-label={name} key={name}>
            <div class="cut">{name}</div>
            <div class="two cut">{facts}</div>
            <CopyLine command={`ollama pull ${name}`} />
          </div>
        ))}
      </div>
      <div class="acts">
        <button class="btn second" type="button" onClick={() => void page.tryServer()}>
          {strings.noServer.tryAgain}
        </button>
        <button class="btn ghost" type="button" onClick={() => void page.run('chooseHost')}>
          {strings.noServer.chooseHost}
        </button>
      </div>
    </div>
  );
}
