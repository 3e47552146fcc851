import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { silentLog } from '../base/log';
import { defineTool } from './defineTool';
import { readFileTool } from './readFile';
import { ToolRegistry } from './registry';
import { searchTextTool } from './searchText';
import type { Planned, Tool, ToolOutcome } from './tool';
import { runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

const never = new AbortController().signal;
const host = testHost('/nowhere');

const echo = defineTool({
  name: 'echo',
  description: 'Repeats.',
  schema: z.object({
    text: z.string(),
    count: z.int().min(1).max(5).optional(),
    loud: z.boolean().optional(),
    list: z.array(z.string()).optional(),
    more: z.object({ a: z.number() }).optional(),
  }),
  example: { text: 'hi' },
  readOnly: true,
  run: (args) => Promise.resolve({ ok: true, content: JSON.stringify(args), summary: 'done' }),
});

function tool(run: () => Promise<ToolOutcome>): Tool {
  const plan = (): Promise<Planned> => Promise.resolve({ kind: 'ready', run });
  return { name: 'odd', description: '', parameters: {}, example: {}, readOnly: true, plan };
}

function execute(
  name: string,
  args: Record<string, unknown>,
  tools: Tool[] = [echo],
  signal = never,
): Promise<ToolOutcome> {
  const registry = new ToolRegistry(tools, silentLog);
  return runTool({ plan: (given) => registry.plan(name, given, host, signal) }, args, host, signal);
}

describe('the registry', () => {
  it('tells the model what there is, in plain JSON Schema', () => {
    expect(new ToolRegistry([readFileTool], silentLog).definitions()).toEqual([
      {
        name: 'read_file',
        description: readFileTool.description,
        parameters: {
          type: 'object',
          properties: {
            path: { type: 'string', minLength: 1, description: 'File, relative to the workspace folder' },
            start_line: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1' },
            end_line: { type: 'integer', minimum: 1, description: 'Last line to read' },
          },
          required: ['path'],
        },
      },
    ]);
    expect(searchTextTool.parameters['required']).toEqual(['query']);
  });

  it.each([
    'echo',
    'Echo',
    ' ECHO ',
    'functions.echo',
    'functions.echo:0',
    'tool.echo',
    'tools:echo',
    'echo<|channel|>json',
    '<|python_tag|>echo',
    '"echo"',
    'echo()',
  ])('takes %j for the tool that is meant', async (name) => {
    expect(await execute(name, { text: 'a' })).toMatchObject({ ok: true });
  });

  it.each(['', 'ech', 'echo2', 'echo:', 'constructor'])('says what there is when asked for %j', async (name) => {
    expect(await execute(name, {})).toEqual({
      ok: false,
      content: `Unknown tool "${name}". Available: echo.`,
      summary: 'unknown tool',
    });
  });

  it('does not take a name apart that is far too long for one', async () => {
    // Quotes are taken off both ends, which takes longer than anybody waits where there are so many of them.
    const outcome = await execute(`e${'"'.repeat(400_000)}e`, {});
    expect(outcome).toMatchObject({ ok: false, summary: 'unknown tool' });
  });

  it('answers for a tool that fails', async () => {
    const failing = tool(() => Promise.reject(new Error('x')));
    const throwing = tool(() => {
      throw new Error('x');
    });
    expect(await execute('odd', {}, [failing])).toMatchObject({ ok: false, summary: 'failed' });
    expect(await execute('odd', {}, [throwing])).toMatchObject({ ok: false, summary: 'failed' });
  });

  it('does not wait for a tool that does not end when it is stopped', async () => {
    const controller = new AbortController();
    const outcome = execute('odd', {}, [tool(() => new Promise(() => undefined))], controller.signal);
    controller.abort();
    expect(await outcome).toMatchObject({ ok: false, summary: 'stopped' });
  });

  it('starts nothing after Stop', async () => {
    let ran = false;
    const outcome = await execute(
      'odd',
      {},
      [
        tool(() => {
          ran = true;
          return Promise.resolve({ ok: true, content: '', summary: '' });
        }),
      ],
      AbortSignal.abort(),
    );
    expect(outcome).toMatchObject({ ok: false, summary: 'stopped' });
    expect(ran).toBe(false);
  });

  it.each(['', 'a'])('cuts a result without end, between characters, after %j', async (start) => {
    const outcome = await execute('odd', {}, [
      tool(() => Promise.resolve({ ok: true, content: `${start}${'🏷'.repeat(500_000)}`, summary: '' })),
    ]);
    expect(outcome.content.length).toBeLessThan(61_000);
    expect(outcome.content).toMatch(/\[… \d+ characters omitted …\]/);
    expect(outcome.content).not.toMatch(/[\p{Cs}\uFFFD]/u);
  });

  it('answers a call whose arguments were no object', () => {
    const outcome = new ToolRegistry([echo], silentLog).malformed('Echo', '{"text": "a');
    expect(outcome.content).toBe(
      'The arguments of echo must be one JSON object, such as {"text":"hi"}. Received: {"text": "a',
    );
  });
});

describe('arguments', () => {
  it.each([
    [
      { text: 'a', count: '3' },
      { text: 'a', count: 3 },
    ],
    [
      { text: 'a', loud: 'True' },
      { text: 'a', loud: true },
    ],
    [
      { text: 'a', list: 'b' },
      { text: 'a', list: ['b'] },
    ],
    [
      { text: 'a', list: '["b","c"]' },
      { text: 'a', list: ['b', 'c'] },
    ],
    [
      { text: 'a', more: '{"a":1}' },
      { text: 'a', more: { a: 1 } },
    ],
    [{ text: 12 }, { text: '12' }],
    [{ text: 'a', count: null, loud: null }, { text: 'a' }],
    [{ text: 'a', unknown: 1 }, { text: 'a' }],
    [{ arguments: { text: 'a' } }, { text: 'a' }],
    [{ input: '{"text":"a"}' }, { text: 'a' }],
    [{ args: JSON.stringify('{"text":"a"}') }, { text: 'a' }],
    [{ text: '{"text":"a"}' }, { text: '{"text":"a"}' }],
  ])('%j are understood', async (args, expected) => {
    expect(JSON.parse((await execute('echo', args)).content)).toEqual(expected);
  });

  it('are the same when repaired twice, under the name of the tool', () => {
    const registry = new ToolRegistry([echo], silentLog);
    const once = registry.repair('functions.Echo', { args: { text: 'a', count: '3', list: 'b' } });
    expect(once).toEqual({ name: 'echo', arguments: { text: 'a', count: 3, list: ['b'] } });
    expect(registry.repair(once.name, once.arguments)).toEqual(once);
    const wrapped = registry.repair('echo', { args: { input: { text: 'a' } } });
    expect(wrapped.arguments).toEqual({ text: 'a' });
    expect(registry.repair('other', { count: '3' })).toEqual({ name: 'other', arguments: { count: '3' } });
  });

  it('are well-formed and never deep, also where text was parsed', () => {
    const registry = new ToolRegistry([echo], silentLog);
    const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
    expect(registry.repair('echo', { text: 'a', more: deep }).arguments['more']).toBe(deep);
    expect(registry.repair('echo', { args: deep }).arguments).toEqual({ args: deep });
    expect(registry.repair('echo', { list: String.raw`["\ud83d"]` }).arguments).toEqual({ list: ['\uFFFD'] });
  });

  it.each([
    [{}, '"text" is missing: a string.'],
    [{ text: null }, '"text" is missing: a string.'],
    [{ parameters: null }, '"text" is missing: a string.'],
    [{ arguments: ' ' }, '"text" is missing: a string.'],
    [{ arguments: { text: ['a'] } }, '"text" must be a string.'],
    [{ text: ['a'] }, '"text" must be a string.'],
    [{ text: 'a', count: 'many' }, '"count" must be a number.'],
    [{ text: 'a', count: 1.5 }, '"count" must be a whole number.'],
    [{ text: 'a', count: 9 }, '"count": Too big'],
    [{ text: 'a', list: [1] }, '"list.0" must be a string.'],
    [{ text: 'a', more: 7 }, '"more" must be an object.'],
  ])('%j are answered with what is wrong', async (args, problem) => {
    const outcome = await execute('echo', args);
    expect(outcome).toMatchObject({ ok: false, summary: 'bad arguments' });
    expect(outcome.content).toContain(problem);
    expect(outcome.content).toContain('Example: {"text":"hi"}');
  });
});
