import { shownInside, type FilePlace } from '../filePlace';
import { isWithin } from '../pathSpelling';

/** The place of a file that was changed before. Both paths are real; whether the file is there is not looked at. */
export function versionPlace(root: string, real: string): FilePlace {
  const outside = !isWithin(root, real);
  return { real, root, shown: outside ? real : shownInside(root, real), outside, exists: true };
}
