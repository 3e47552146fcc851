import { describe, expect, it } from 'vitest';
import { agentsPlaces, memoryPlaces, readableRoot, shownPath, skillPlaces } from './places';

describe('The folder that may be read', () => {
  it('is a trusted one on this machine, and no other', () => {
    expect(readableRoot({ scheme: 'file', path: '/w' }, true)).toBe('/w');
    expect(readableRoot({ scheme: 'file', path: '/w' }, false)).toBeUndefined();
    expect(readableRoot({ scheme: 'vscode-vfs', path: '/w' }, true)).toBeUndefined();
    expect(readableRoot(undefined, true)).toBeUndefined();
  });
});

describe('The places of texts', () => {
  const shown = (places: ReturnType<typeof memoryPlaces>): readonly string[] =>
    places.map((place) => shownPath(place, 'x'));

  it('are told global ones first', () => {
    const places = { home: '/home/me', root: '/w' };
    expect(shown(agentsPlaces(places))).toEqual(['~/.holdfast/x', 'x']);
    expect(shown(memoryPlaces(places))).toEqual(['~/.holdfast/x', '.holdfast/x']);
  });

  it('have skills of the folder win over global ones', () => {
    expect(shown(skillPlaces({ home: '/home/me', root: '/w' }))).toEqual([
      '.holdfast/skills/x',
      '.agents/skills/x',
      '~/.holdfast/skills/x',
      '~/.agents/skills/x',
    ]);
  });

  it('are the global ones alone without a folder, and those of the folder alone without a home', () => {
    for (const places of [agentsPlaces, memoryPlaces, skillPlaces]) {
      expect(places({ home: '/home/me' }).every(({ scope }) => scope === 'global')).toBe(true);
      expect(places({ root: '/w' }).every(({ scope }) => scope === 'folder')).toBe(true);
      expect(places({})).toEqual([]);
    }
  });
});
