import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const manifestSchema = z.object({
  capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
  contributes: z.object({
    configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string().optional() })) }),
  }),
});

/** What a folder that is trusted may set for itself: how long a model stays in memory, and how large its window is. */
const OF_A_FOLDER = ['holdfast.ollama.keepAlive', 'holdfast.ollama.contextLength'];

async function manifest(): Promise<z.output<typeof manifestSchema>> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return manifestSchema.parse(JSON.parse(text));
}

describe('what a repository can set', () => {
  it('is never where the model server is, which tools of others are used, or anything else that is not harmless', async () => {
    const { properties } = (await manifest()).contributes.configuration;
    const settable = Object.entries(properties).flatMap(([name, { scope }]) => (scope === 'machine' ? [] : [name]));
    expect(settable.toSorted()).toEqual(OF_A_FOLDER.toSorted());
    expect(Object.keys(properties)).toContain('holdfast.tools.external');
  });

  it('is no mode, no rule and no leave: those are no settings at all', async () => {
    const names = Object.keys((await manifest()).contributes.configuration.properties);
    expect(names.filter((name) => /mode|rule|allow|approv|permission|bypass|prompt/i.test(name))).toEqual([]);
  });

  it('is nothing before the folder is trusted', async () => {
    const { capabilities } = await manifest();
    const restricted = capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const name of [...OF_A_FOLDER, 'holdfast.ollama.host', 'holdfast.tools.external'])
      expect(restricted).toContain(name);
  });
});
