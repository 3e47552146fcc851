import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { COPIED_MS } from '../limits';
import { strings } from '../strings';
import { usePage } from './context';
import { IconButton } from './icon';

const ICONS = { idle: 'copy', copied: 'check', failed: 'error' } as const;

/** Copies `text`, and says for a moment that it did. A function is asked when it is pressed. */
export function CopyButton(props: { name: string; text: string | (() => string | Promise<string>) }): VNode {
  const { announcer } = usePage();
  const state = useSignal<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state.value === 'idle') return undefined;
    const timer = setTimeout(() => (state.value = 'idle'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state.value]);
  const copy = async (): Promise<void> => {
    try {
      const text = typeof props.text === 'string' ? props.text : await props.text();
      await navigator.clipboard.writeText(text);
      state.value = 'copied';
      announcer.say(strings.copied);
    } catch {
      state.value = 'failed';
      announcer.warn(strings.notCopied);
    }
  };
  return (
    <IconButton
      icon={ICONS[state.value]}
      name={props.name}
      hint={state.value === 'failed' ? strings.notCopied : strings.copy}
      onPress={() => void copy()}
    />
  );
}

/** A command to be run in a terminal, with Copy and what else stands beside it. */
export function CopyLine({ command, children }: { command: string; children?: VNode }): VNode {
  return (
    <div class="copyline">
      <code>{command}</code>
      <CopyButton name={strings.copyCommand(command)} text={command} />
      {children}
    </div>
  );
}
