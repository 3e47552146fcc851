import { describe, expect, it } from 'vitest';
import { isKnownLocal } from './fileSystem';

describe('a file system', () => {
  it.each([
    ['ext4', 'linux', 0xef53, true],
    ['tmpfs', 'linux', 0x01021994, true],
    ['overlay', 'linux', 0x794c7630, true],
    ['NFS', 'linux', 0x6969, false],
    ['FUSE (sshfs, virtiofs)', 'linux', 0x65735546, false],
    ['SMB', 'linux', 0xff534d42, false],
    ['9p', 'linux', 0x01021997, false],
    ['AFS', 'linux', 0x5346414f, false],
    ['APFS', 'darwin', 0x1a, true],
    ['one of an unknown system', 'freebsd', 0xef53, false],
  ] as const)('%s on %s is trusted only if it is known to be local', (_, platform, type, local) => {
    expect(isKnownLocal(platform, { type, realPath: '/home/p' })).toBe(local);
  });

  it.each([
    ['C:\\Users\\p', true],
    ['\\\\?\\C:\\Users\\p', true],
    ['\\\\server\\share\\p', false],
    ['\\\\?\\UNC\\server\\share\\p', false],
    ['\\\\wsl$\\Ubuntu\\home\\p', false],
  ])('of Windows at %s is local: %s', (realPath, local) => {
    expect(isKnownLocal('win32', { type: 0, realPath })).toBe(local);
  });

  it('that does not say what it is counts as not local', () => {
    expect(isKnownLocal('linux', { type: undefined, realPath: undefined })).toBe(false);
    expect(isKnownLocal('win32', { type: undefined, realPath: undefined })).toBe(false);
  });
});
