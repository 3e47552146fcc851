import { describe, expect, it } from 'vitest';
import { folderKey } from './folderKey';

describe('the key of a folder', () => {
  it('is the same for every spelling of one folder', () => {
    const spellings = ['file:///c%3A/P', 'file:///C%3A/P', 'file:///C:/P', 'file:///c:/P', 'file:///c:/P/'];
    expect(new Set(spellings.map(folderKey))).toEqual(new Set(['file:///c:/P']));
    expect(folderKey('file:///home/ana/project/')).toBe(folderKey('file:///home/ana/project'));
  });

  it('differs for different folders, hosts and remotes', () => {
    const folders = [
      'file:///home/ana/project',
      'file:///home/ana/Project',
      'file:///home/ana/project2',
      'file://server/home/ana/project',
      'vscode-remote://ssh-remote%2Bx/home/ana/project',
      'vscode-remote://ssh-remote%2By/home/ana/project',
    ];
    expect(new Set(folders.map(folderKey)).size).toBe(folders.length);
  });

  it('leaves the root of a file system as it is', () => {
    expect(folderKey('file:///')).toBe('file:///');
  });
});
