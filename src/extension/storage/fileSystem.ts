import type { FolderFacts } from './files';

/**
 * Types of `statfs` that keep their promises about locks and shared memory between processes of one machine. On Linux
 * from linux/magic.h; on macOS the numbers under which the system registers its own file systems.
 */
const LOCAL_TYPES: Readonly<Partial<Record<NodeJS.Platform, ReadonlySet<number>>>> = {
  linux: new Set([
    0xef53, // ext2, ext3, ext4
    0x58465342, // xfs
    0x9123683e, // btrfs
    0x2fc12fc1, // zfs
    0xf2f52010, // f2fs
    0x01021994, // tmpfs
    0x794c7630, // overlay
  ]),
  darwin: new Set([
    0x1a, // APFS
    0x11, // HFS+
  ]),
};

/**
 * Whether the folder is on a file system that is known to be local. Write-ahead logging needs memory that all processes
 * share, and locks that hold: a network file system has neither, and corrupts the file in time. Not known is not local.
 */
export function isKnownLocal(platform: NodeJS.Platform, facts: FolderFacts): boolean {
  // Windows does not say the type; a path that is really on another computer starts with two backslashes.
  if (platform === 'win32') return facts.realPath !== undefined && !/^\\\\(?!\?\\[a-z]:)/i.test(facts.realPath);
  return facts.type !== undefined && (LOCAL_TYPES[platform]?.has(facts.type) ?? false);
}
