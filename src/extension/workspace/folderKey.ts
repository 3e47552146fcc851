/** The scope of windows without a folder. */
export const NO_FOLDER_KEY = '(no folder)';

/**
 * Whose history: the folder's URI in one spelling. Only the spelling is normalised (drive letter, percent signs,
 * slash at the end); authority and path stay as they are, so that two folders never share a key.
 * `uri` is a URI of the editor as a string, such as `file:///c%3A/P/`.
 */
export function folderKey(uri: string): string {
  const decoded = decodeDriveColon(uri);
  const withDrive = decoded.replace(
    /^(file:\/\/\/)([a-z]):/i,
    (_, start: string, drive: string) => `${start}${drive.toLowerCase()}:`,
  );
  return withDrive.length > 'file:///'.length ? withDrive.replace(/(?<!:|\/)\/+$/, '') : withDrive;
}

function decodeDriveColon(uri: string): string {
  return uri.replace(/^(file:\/\/\/[a-z])%3a/i, '$1:');
}
