import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutOff, failWith } from './chatStep';
import { Gate } from './gate';
import { OllamaServer } from './ollamaServer';
import { rawRequest } from './rawClient';
import type { RawReply } from './rawClient';

let server: OllamaServer;

beforeEach(async () => {
  server = await OllamaServer.start({ models: ['llama3.2'] });
});

afterEach(() => server.close());

function pull(fields: Readonly<Record<string, string | boolean>>): Promise<RawReply> {
  return rawRequest(`${server.url}/api/pull`, 'POST', fields);
}

const digest = 'dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff';

describe('a pull', () => {
  it('is written as the real server does', async () => {
    const layer = { digest, total: 2_019_377_376, tells: [0, 241_970] };
    server.offer({ model: 'new', layers: [layer] });
    expect(await pull({ model: 'new' })).toMatchObject({
      status: 200,
      contentType: 'application/x-ndjson',
      ending: 'end',
      text: `{"status":"pulling manifest"}
{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff","total":2019377376}
{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5aa3fc5ffc17176b5e8bdc82f587b24b2678c6c66101bf7da77af9f7ccdff","total":2019377376,"completed":241970}
{"status":"verifying sha256 digest"}
{"status":"writing manifest"}
{"status":"success"}
`,
    });
    expect(server.models.find('new')?.name).toBe('new:latest');
  });

  it('of an unknown model fails in the stream', async () => {
    expect(await pull({ name: 'nope' })).toMatchObject({
      status: 200,
      text: '{"status":"pulling manifest"}\n{"error":"pull model manifest: file does not exist"}\n',
    });
  });

  it('without a stream answers with its end alone', async () => {
    server.offer({ model: 'new' });
    expect(await pull({ model: 'new', stream: false })).toMatchObject({ status: 200, text: '{"status":"success"}' });
    expect(await pull({ model: 'nope', stream: false })).toMatchObject({
      status: 500,
      text: '{"error":"pull model manifest: file does not exist"}',
    });
  });

  it('tells a layer once that is there, in full', async () => {
    server.offer({ model: 'new', layers: [{ digest, total: 7 }] });
    await pull({ model: 'new' });
    expect((await pull({ model: 'new' })).text.split('\n')[1]).toBe(
      `{"status":"pulling dde5aa3fc5ff","digest":"sha256:${digest}","total":7,"completed":7}`,
    );
  });

  it('goes on where a client left', async () => {
    const left = new Gate();
    const hold = (completed: number): Promise<void> | undefined => (completed === 9 ? left.opened : undefined);
    server.offer({ model: 'new', layers: [{ digest, total: 9, tells: [0, 4, 9] }], hold });
    const leaving = new AbortController();
    const body = JSON.stringify({ model: 'new' });
    const first = fetch(`${server.url}/api/pull`, { method: 'POST', body, signal: leaving.signal })
      .then((response) => response.text())
      .catch(() => undefined);
    const request = await server.nextRequest();
    await request.headersSent;
    leaving.abort();
    await first;
    await request.closed;
    expect(server.models.find('new')).toBeUndefined();
    left.open();
    const lines = (await pull({ model: 'new' })).text.split('\n');
    expect(lines[1]).toMatch(/"completed":4}|"total":9}/);
    expect(lines.at(-2)).toBe('{"status":"success"}');
  });

  it('ends as its script says', async () => {
    server.offer({ model: 'new', tail: [failWith('no space left on device')] });
    expect((await pull({ model: 'new' })).text).toMatch(/\n{"error":"no space left on device"}\n$/);
    server.offer({ model: 'new', tail: [cutOff()] });
    expect((await pull({ model: 'new' })).text).not.toContain('success');
    expect(server.models.find('new')).toBeUndefined();
  });
});
