import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChild, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { TextPart } from '../../protocol/part';
import { Icon } from '../components/icon';
import { memo } from '../components/memo';
import { NESTING } from '../limits';
import { strings } from '../strings';
import { finishedBlocks, GrowingBlocks } from './blocks';
import { CodeBlock } from './codeBlock';
import { Inline } from './inline';

/** Parsed texts of parts that no longer change: a row that is scrolled back into view is not parsed again. */
const finished = new WeakMap<TextPart, readonly MarkedToken[]>();

interface MarkdownProps {
  readonly part: TextPart;
  /** More of it is coming, and the caret stands at its end. */
  readonly growing: boolean;
  /** It ended before it was complete. */
  readonly cut?: boolean;
  /** Names it, for the folds within. */
  readonly fold: string;
}

/** The text of an answer. */
export function Markdown({ part, growing, cut = false, fold }: MarkdownProps): VNode {
  const blocks = useRef<GrowingBlocks>(undefined);
  let tokens: readonly MarkedToken[];
  if (growing) {
    blocks.current ??= new GrowingBlocks();
    tokens = blocks.current.update(part.text);
  } else {
    // Lexed anew as a whole: a definition that came late may have made links of what was text.
    tokens = finished.get(part) ?? finishedBlocks(part.text, cut);
    finished.set(part, tokens);
  }
  return (
    <div class={growing ? 'md is-growing' : 'md'}>
      {tokens.map((token, index) => (
        <Block key={index} token={token} fold={`${fold}:${index}`} depth={0} growing={growing} />
      ))}
    </div>
  );
}

interface BlockProps {
  readonly token: Token;
  readonly fold: string;
  readonly depth: number;
  readonly growing: boolean;
}

const Block = memo<BlockProps>(function Block({ token, fold, depth, growing }) {
  const known = token as MarkedToken;
  if (depth > NESTING)
    return (
      <p dir="auto" class="raw">
        {token.raw}
      </p>
    );
  switch (known.type) {
    case 'heading':
      return <Heading token={known} />;
    case 'code':
      return <CodeBlock token={known} fold={fold} growing={growing} />;
    case 'blockquote':
      return (
        <blockquote dir="auto">
          <Blocks tokens={known.tokens} fold={fold} depth={depth} growing={growing} />
        </blockquote>
      );
    case 'list':
      return <List token={known} fold={fold} depth={depth} growing={growing} />;
    case 'table':
      return <Table token={known} />;
    case 'hr':
      return <hr />;
    case 'html':
      return (
        <p dir="auto" class="raw">
          {known.raw.trimEnd()}
        </p>
      );
    case 'paragraph':
    case 'text':
      return (
        <p dir="auto">
          <Inline tokens={known.tokens ?? [known]} depth={depth} />
        </p>
      );
    case 'space':
    case 'def':
      return null;
    case 'list_item':
    case 'checkbox':
    case 'br':
    case 'codespan':
    case 'del':
    case 'em':
    case 'escape':
    case 'image':
    case 'link':
    case 'strong':
      return (
        <p dir="auto">
          <Inline tokens={[known]} depth={depth} />
        </p>
      );
  }
});

function Blocks({ tokens, fold, depth, growing }: Omit<BlockProps, 'token'> & { tokens: readonly Token[] }): VNode {
  return (
    <>
      {tokens
        .filter((token) => token.type !== 'space' && token.type !== 'def')
        .map((token, index) => (
          <Block key={index} token={token} fold={`${fold}:${index}`} depth={depth + 1} growing={growing} />
        ))}
    </>
  );
}

function Heading({ token }: { token: Tokens.Heading }): VNode {
  const content = <Inline tokens={token.tokens} depth={0} />;
  switch (token.depth) {
    case 1:
      return <h1 dir="auto">{content}</h1>;
    case 2:
      return <h2 dir="auto">{content}</h2>;
    case 3:
      return <h3 dir="auto">{content}</h3>;
    default:
      return <h4 dir="auto">{content}</h4>;
  }
}

function List({ token, fold, depth, growing }: Omit<BlockProps, 'token'> & { token: Tokens.List }): VNode {
  const items = token.items.map((item, index) => (
    <Item key={index} token={item} fold={`${fold}:${index}`} depth={depth} growing={growing} />
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>;
}

function Item({ token, fold, depth, growing }: Omit<BlockProps, 'token'> & { token: Tokens.ListItem }): VNode {
  if (depth > NESTING) return <li>{token.raw}</li>;
  const children: ComponentChild[] = [];
  token.tokens.forEach((child, index) => {
    if (child.type === 'space' || child.type === 'def' || child.type === 'checkbox') return;
    if (child.type === 'text' && !token.loose) children.push(<Inline key={index} tokens={[child]} depth={depth} />);
    else {
      const name = `${fold}:${index}`;
      children.push(<Block key={index} token={child} fold={name} depth={depth + 1} growing={growing} />);
    }
  });
  return (
    <li dir="auto" class={token.task ? 'task' : undefined}>
      {token.task && <TaskMark done={token.checked === true} />}
      {children}
    </li>
  );
}

function TaskMark({ done }: { done: boolean }): VNode {
  return (
    <>
      <Icon name={done ? 'pass' : 'circle-large-outline'} />
      <span class="sr">{done ? strings.taskDone : strings.taskOpen}</span>
    </>
  );
}

function Table({ token }: { token: Tokens.Table }): VNode {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={strings.table}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} class={alignment(cell)} dir="auto">
                <Inline tokens={cell.tokens} depth={0} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} class={alignment(cell)} dir="auto">
                  <Inline tokens={cell.tokens} depth={0} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignment(cell: Tokens.TableCell): string | undefined {
  if (cell.align === 'right') return 'num';
  return cell.align === 'center' ? 'mid' : undefined;
}
