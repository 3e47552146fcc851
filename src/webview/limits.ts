/** Every limit of the page, with its unit. */

/** Longest message (UTF-16 units) that the host takes. */
export const MESSAGE_CHARS = 1_000_000;

// Frames
/** Frames are applied at the next paint, or after so many ms when the page does not paint. */
export const FRAME_FALLBACK_MS = 50;
/** `ready` is said again after so many ms without an answer. */
export const HELLO_RETRY_MS = 2_000;
/** The host is told what is drawn at most once in so many ms. */
export const RENDERED_EVERY_MS = 100;
/** A page that was asked for and did not come is asked for again after so many ms. */
export const OLDER_PAGE_MS = 5_000;
/** Copying waits at most so long (ms) for what was left out of a text. */
export const PART_MS = 2_000;

/** After a yes the page waits at most so long (ms) to see what was promised, before it offers the same again. */
export const PROMISE_MS = 2_000;

// List
/** Follow the end when the reader is within so many px of it. */
export const FOLLOW_PX = 80;
/** Older messages are asked for when so many px or fewer are left above. */
export const OLDER_PX = 800;
/** For so long (ms) the page tries to come back to the place that was read. */
export const PLACE_MS = 5_000;
/** So many rows are drawn beyond each edge of the visible part. */
export const OVERSCAN_ROWS = 3;

// What is kept in the view's state
export const KEPT_CONVERSATIONS = 20;
export const KEPT_OPEN_FOLDS = 200;
export const STATE_WRITE_MS = 250;
/** The host is told of the text in the composer at most once in so many ms. */
export const DRAFT_EVERY_MS = 200;

// Shown text
/** A queued message is one line: so many UTF-16 units of it are put into the page. */
export const QUEUED_CHARS = 500;
/** An own message is shown up to so many lines or UTF-16 units until it is unfolded. */
export const OWN_LINES = 40;
export const OWN_CHARS = 6_000;
/** Output of a tool, and code: shown up to so many lines until unfolded. */
export const OUTPUT_LINES = 40;
export const CODE_LINES = 40;
export const CODE_LINES_FOLDED = 30;
/** Text behind a fold (UTF-16 units) that is put into the page at once. */
export const OUTPUT_CHARS = 20_000;

// Markdown
/** A longer run of inline text is shown as plain text: inline parsing grows faster than its length. */
export const INLINE_CHARS = 16_000;
/** Deeper nesting is shown as plain text. */
export const NESTING = 24;
/** A longer text is cut into pieces of about this size (UTF-16 units), which are parsed on their own. */
export const LEX_CHARS = 64_000;

// Highlighting
export const HIGHLIGHT_CHARS = 20_000;
export const HIGHLIGHT_LINE_CHARS = 2_000;

/** A "not saved yet" that lasts less (ms) is not worth a word. */
export const PENDING_WORD_MS = 1_000;
/** Finished read-only rows in a row from which they become one. */
export const EXPLORED_ROWS = 4;
/** How long (ms) a copy button says that it copied. */
export const COPIED_MS = 1_500;

// The window
/** From this share of the window on its figure has the colour of a warning. */
export const WINDOW_WARN = 0.8;

// Images
/** So many images go with one message, each of so many bytes. */
export const IMAGES = 4;
export const IMAGE_MEGABYTES = 10;

// Approvals
/** Lines of a change that a card shows. */
export const CARD_DIFF_LINES = 12;
/** A longer command (UTF-16 units) stands below the bar of its row, not in it: the bar stays in view, and may not be high. */
export const BAR_COMMAND_CHARS = 160;
/** A longer command (UTF-16 units) wraps anywhere: each of its arguments would be an element of its own. */
export const COMMAND_WRAP_CHARS = 5_000;
