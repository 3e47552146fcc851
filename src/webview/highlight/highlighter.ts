import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import { h, type ComponentChild } from 'preact';

const lowlight = createLowlight({ bash, css, diff, go, java, json, python, rust, sql, typescript, xml, yaml });
// The grammar of TypeScript holds that of JavaScript.
lowlight.registerAlias({ typescript: ['javascript', 'js', 'jsx', 'mjs', 'cjs'], bash: ['shell', 'zsh'] });

type HighlightNode = ReturnType<typeof lowlight.highlight>['children'][number];

/** `text` as nodes with classes for colours; undefined when the language is not one of ours. */
export function highlight(language: string, text: string): ComponentChild | undefined {
  if (!lowlight.registered(language)) return undefined;
  return lowlight.highlight(language, text).children.map(toNode);
}

function toNode(node: HighlightNode): ComponentChild {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return null;
  const names = node.properties['className'];
  const colour = Array.isArray(names)
    ? names.map((name) => COLOURS[String(name)]).find((one) => one !== undefined)
    : undefined;
  return h('span', colour === undefined ? {} : { class: colour }, node.children.map(toNode));
}

/** Kinds of highlight.js by the few colours that every theme has. */
const COLOURS: Readonly<Record<string, string>> = {
  'hljs-keyword': 'tok-k',
  'hljs-built_in': 'tok-f',
  'hljs-literal': 'tok-k',
  'hljs-variable': 'tok-k',
  'hljs-name': 'tok-k',
  'hljs-selector-tag': 'tok-k',
  'hljs-string': 'tok-s',
  'hljs-regexp': 'tok-s',
  'hljs-attr': 'tok-f',
  'hljs-attribute': 'tok-f',
  'hljs-number': 'tok-n',
  'hljs-title': 'tok-f',
  'hljs-type': 'tok-f',
  'hljs-comment': 'tok-c',
  'hljs-quote': 'tok-c',
  'hljs-meta': 'tok-c',
  'hljs-addition': 'tok-a',
  'hljs-deletion': 'tok-d',
};
