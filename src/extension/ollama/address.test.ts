import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopback, parseAddress } from './address';

function read(text: string): unknown {
  const result = parseAddress(text);
  return result.ok ? [result.value.baseUrl, result.value.display, result.value.loopback] : result.failure;
}

describe('address of the server', () => {
  it.each([
    ['', 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
    ['  ', 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
    ['localhost', 'http://localhost:11434', 'localhost:11434', true],
    ['gpu.example.org', 'http://gpu.example.org:11434', 'gpu.example.org:11434', false],
    ['gpu:8080', 'http://gpu:8080', 'gpu:8080', false],
    ['gpu:80', 'http://gpu:80', 'gpu:80', false],
    [':11500', 'http://127.0.0.1:11500', '127.0.0.1:11500', true],
    [':80', 'http://127.0.0.1:80', '127.0.0.1:80', true],
    ['0.0.0.0', 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
    ['0.0.0.0:1234', 'http://127.0.0.1:1234', '127.0.0.1:1234', true],
    ['http://0.0.0.0:11434/', 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
    ['[::1]:11434', 'http://[::1]:11434', '[::1]:11434', true],
    ['::1', 'http://[::1]:11434', '[::1]:11434', true],
    ['::', 'http://[::1]:11434', '[::1]:11434', true],
    ['[fe80::2]', 'http://[fe80::2]:11434', '[fe80::2]:11434', false],
    ['http://gpu', 'http://gpu:80', 'gpu:80', false],
    ['https://gpu', 'https://gpu:443', 'https://gpu', false],
    ['https://gpu:443/', 'https://gpu:443', 'https://gpu', false],
    ['HTTPS://gpu:8443/ollama/', 'https://gpu:8443/ollama', 'https://gpu:8443/ollama', false],
    ['gpu/ollama//', 'http://gpu:11434/ollama', 'gpu:11434/ollama', false],
    ['[::]', 'http://[::1]:11434', '[::1]:11434', true],
    ['[::]:8080', 'http://[::1]:8080', '[::1]:8080', true],
    ['0:0:0:0:0:0:0:0', 'http://[::1]:11434', '[::1]:11434', true],
    ['http://[::]:11434/', 'http://[::1]:11434', '[::1]:11434', true],
    ['http://::1', 'http://[::1]:80', '[::1]:80', true],
    ['fe80::2/ollama/', 'http://[fe80::2]:11434/ollama', '[fe80::2]:11434/ollama', false],
    ['FE80::2', 'http://[fe80::2]:11434', '[fe80::2]:11434', false],
    ['http://:8080', 'http://127.0.0.1:8080', '127.0.0.1:8080', true],
    ['https://0.0.0.0', 'https://127.0.0.1:443', 'https://127.0.0.1', true],
    [':11500/ollama', 'http://127.0.0.1:11500/ollama', '127.0.0.1:11500/ollama', true],
    ['LOCALHOST:11434', 'http://localhost:11434', 'localhost:11434', true],
    ['HTTP://GPU.Example.ORG/', 'http://gpu.example.org:80', 'gpu.example.org:80', false],
    ['https://gpu/Ollama', 'https://gpu:443/Ollama', 'https://gpu/Ollama', false],
    ['ollama.com', 'https://ollama.com:443', 'https://ollama.com', false],
    [" '0.0.0.0:11434' ", 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
    ['"127.0.0.1:11434"', 'http://127.0.0.1:11434', '127.0.0.1:11434', true],
  ])('reads %j', (text, baseUrl, display, loopback) => {
    expect(read(text)).toEqual([baseUrl, display, loopback]);
  });

  it.each([
    ['http://me:secret@gpu', /user name/],
    ['me@gpu:11434', /user name/],
    ['ftp://gpu', /ftp/],
    ['file:///etc/passwd', /file/],
    ['gpu:99999', /no address/],
    ['gpu:0', /Port 0/],
    ['two words', /spaces/],
    ['gpu?x=1', /“\?”/],
    ['http://', /no address/],
    ['http:///ollama', /no address/],
    ['fe80::1%eth0', /no address/],
    ['/ollama', /no address/],
    ['[::1', /no address/],
  ])('refuses %j in words', (text, words) => {
    expect(read(text)).toMatch(words);
  });

  it('never shows a password', () => {
    expect(read('http://me:secret@gpu')).not.toMatch(/secret/);
    expect(read('me:secret@gpu')).not.toMatch(/secret/);
    expect(read('me:secret@gpu:99999')).not.toMatch(/secret/);
  });

  it.each([
    ['127.9.9.9', true],
    ['models.localhost', true],
    ['LOCALHOST.', true],
    ['[::ffff:7f00:1]', true],
    ['[::ffff:7f]', false],
    ['127.0.0.1.example.org', false],
    ['localhost.example.org', false],
    ['10.0.0.1', false],
  ])('says whether %j is this machine', (hostname, expected) => {
    expect(isLoopback(hostname)).toBe(expected);
  });

  it('never throws, and what it makes is stable', () => {
    const piece = fc.constantFrom(
      'http://',
      'https://',
      ':',
      '/',
      '[',
      ']',
      '::1',
      '0.0.0.0',
      '@',
      '80',
      'gpu',
      ' ',
      '%',
      '\\',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (written) => {
        const first = parseAddress(written);
        if (!first.ok) {
          expect(first.failure).not.toBe('');
          return;
        }
        expect(() => new URL(first.value.baseUrl)).not.toThrow();
        expect(parseAddress(first.value.baseUrl)).toEqual(first);
        expect(parseAddress(first.value.display)).toEqual(first);
      }),
      { numRuns: 500 },
    );
  });
});
