// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PageProvider } from '../components/context';
import { PageStore } from '../store/pageStore';
import { FakeHost } from '../testing/fakeHost';
import { destination } from './link';
import { Markdown } from './markdown';

const host = new FakeHost();
const page = new PageStore(host);
afterEach(() => {
  vi.useRealTimers();
  host.asked.length = 0;
});

function view(text: string, growing = false) {
  return (
    <PageProvider value={page}>
      <Markdown part={{ type: 'text', text }} growing={growing} fold="1:0" />
    </PageProvider>
  );
}

describe('Markdown', () => {
  it('closes the marks of a text that was cut off, and leaves those of a whole one alone', () => {
    const part = { type: 'text', text: 'It **ends' } as const;
    const { container, rerender } = render(<Markdown part={part} growing={false} cut fold="1:0" />);
    expect(container.querySelector('strong')?.textContent).toBe('ends');
    rerender(<Markdown part={{ ...part }} growing={false} fold="1:0" />);
    expect(container.textContent).toBe('It **ends');
  });

  it('becomes nodes', () => {
    const { container } = render(
      view(
        '# One\n\nA **b** *c* ~~d~~ `e`.  \nnext\n\n> q\n\n1. x\n2. y\n   - z\n\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |',
      ),
    );
    for (const tag of [
      'h1',
      'strong',
      'em',
      'del',
      'code',
      'br',
      'blockquote',
      'ol > li > ul > li',
      'hr',
      'th.num',
      'td.num',
    ]) {
      expect(container.querySelector(tag), tag).not.toBeNull();
    }
    expect(screen.getByRole('region', { name: 'Table' }).tabIndex).toBe(0);
  });

  it('shows code with its language and Copy, and of long code the first lines', async () => {
    const lines = Array.from({ length: 214 }, (_, index) => `line ${index}`).join('\n');
    render(view(`\`\`\`ts title="x"\n${lines}\n\`\`\``));
    expect(screen.getByRole('group', { name: 'Code, TypeScript' }).textContent?.split('\n')).toHaveLength(30);
    expect(screen.getByRole('button', { name: 'Copy code' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show all 214 lines' }));
    expect((await screen.findByRole('button', { name: 'Show less' })).getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('group', { name: 'Code, TypeScript' }).textContent).toBe(lines);
  });

  it('reads character references, and leaves unknown ones as they are', () => {
    expect(render(view('a &lt;b&gt; &amp; &#8364; &nosuch; &constructor; &amp;lt;')).container.textContent).toBe(
      'a <b> & € &nosuch; &constructor; &lt;',
    );
  });

  it('asks the host to open a link, and names where it truly leads', () => {
    render(view('[https://bank.example](https://bank.example@evil.example/x)'));
    const link = screen.getByRole('link');
    expect(link.title).toBe('Opens evil.example');
    fireEvent.click(link);
    fireEvent.keyDown(link, { key: 'Enter' });
    expect(host.askedFor('openLink')).toEqual(
      Array.from({ length: 2 }, () => ({ href: 'https://bank.example@evil.example/x' })),
    );
  });

  it.each([
    ['https://a.example/b', 'a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['src/queue/scheduler.ts:104', 'src/queue/scheduler.ts:104'],
    ['scheduler.ts:104', 'scheduler.ts:104'],
    ['C:\\code\\a.ts', 'C:\\code\\a.ts'],
    ['javascript:alert(1)', undefined],
    ['JAVASCRIPT:alert(1)', undefined],
    ['command:workbench.action.quit', undefined],
    ['vscode://x/y', undefined],
    ['data:text/html,x', undefined],
    ['//evil.example/share', undefined],
    ['\\\\evil.example\\share', undefined],
    ['https://', undefined],
    ['#here', undefined],
  ])('a link to %j leads to %j', (href, where) => {
    expect(destination(href)).toBe(where);
  });

  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '<iframe src="https://evil.example"></iframe>',
    '<svg onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<style>@import url(https://evil.example)</style>',
    '![x](https://evil.example/track.png)',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '[x](javascript:alert(1))',
    '[x](command:workbench.action.terminal.new)',
    '[x](vscode://file/etc/passwd)',
    '[x](<java\nscript:alert(1)>)',
    '<https://evil.example>',
    '[x][r]\n\n[r]: javascript:alert(1)',
    '```html" onmouseover="alert(1)\n<img src=x onerror=alert(1)>\n```',
    '| <img src=x onerror=alert(1)> |\n|---|\n| <iframe srcdoc="x"> |',
    '- [ ] <input autofocus onfocus=alert(1)>',
    '# <b onclick=alert(1)>x</b>',
  ];

  it.each(HOSTILE)('%j runs nothing, fetches nothing and leads nowhere', (text) => {
    for (const growing of [false, true]) {
      const { container } = render(view(text, growing));
      expect(
        container.querySelector('img, script, iframe, svg, style, input, object, embed, form, [href], [src]'),
      ).toBeNull();
      for (const element of container.querySelectorAll('*')) {
        expect(element.getAttributeNames().filter((name) => name.startsWith('on'))).toEqual([]);
      }
    }
  });

  const LONG = `# Title\n\nFirst **bold _both_** and \`code\`, a [link](https://a.example/b_c_d).\n\n- one\n- two\n\n  loose now\n- three\n  1. x\n  2. y\n\n\`\`\`ts\nconst a = 1;\n\n// blank line above\n\`\`\`\n\nText [ref] here.\n\n| a | b |\n|---|---|\n| 1 | **2** |\n\n> quote\n> goes on\n\nHeading\n---\n\n<div>raw\n</div>\n\nEnd ~~x~~ *y*.\n\n[ref]: https://a.example\n`;

  it('looks the same at the end whether it came at once or bit by bit', () => {
    for (const size of [1, 7, 40]) {
      const { container, rerender } = render(view('', true));
      for (let at = size; at < LONG.length; at += size) rerender(view(LONG.slice(0, at), true));
      rerender(view(LONG, false));
      expect(container.isEqualNode(render(view(LONG)).container)).toBe(true);
    }
  });

  it('does not draw settled blocks anew while more comes', () => {
    // On a busy machine parsing may take long, and then it rests.
    vi.useFakeTimers({ toFake: ['performance'] });
    const { container, rerender } = render(view('First.\n\nSecond.\n\nThird.\n\nFo', true));
    const first = container.querySelector('p')?.firstChild;
    rerender(view('First.\n\nSecond.\n\nThird.\n\nFourth **x', true));
    expect(container.querySelector('p')?.firstChild).toBe(first);
    expect(container.querySelector('strong')?.textContent).toBe('x');
  });

  it.each([
    ['open brackets', '['.repeat(40_000)],
    ['nested links', '[a]('.repeat(10_000)],
    ['stars', '*a '.repeat(20_000)],
    ['runs of stars', '**'.repeat(20_000)],
    ['underscores', '_a_b'.repeat(10_000)],
    ['backticks', Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['nested quotes', '>'.repeat(20_000)],
    ['nested lists', Array.from({ length: 500 }, (_, index) => `${' '.repeat(index * 2)}- x`).join('\n')],
    ['lists on one line', `${'- '.repeat(5_000)}x`],
    ['open tags', '<a '.repeat(20_000)],
    ['pipes', `|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}`],
    ['entities', '&#'.repeat(30_000)],
    ['one long word', 'a'.repeat(300_000)],
    ['long lines of text', 'lorem ipsum *dolor* sit `amet` '.repeat(10_000)],
    ['blank lines', '\n'.repeat(100_000)],
    ['references', '[a]: b\n'.repeat(5_000)],
  ])('%s do not hang it', (_, text) => {
    // What hangs meets the time-out of the test.
    expect(() => {
      render(view(text));
      render(view(text, true));
    }).not.toThrow();
  });
});
