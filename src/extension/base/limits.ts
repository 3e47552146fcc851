/** Every limit of the host, with its unit. Hitting one is said in the result, never silent. */

// Storage
/** Commands that one transaction takes at most. */
export const WRITE_BATCH_COMMANDS = 64;
/** Characters of payload that one transaction takes at most. */
export const WRITE_BATCH_CHARS = 1_000_000;
/** First and longest pause (ms) before a write that failed for a passing reason is tried again. */
export const WRITE_RETRY_FIRST_MS = 50;
export const WRITE_RETRY_LONGEST_MS = 2_000;
/** How long (ms) a window that closes tries to write what waits. The editor gives it about 5 s in all. */
export const CLOSE_MS = 3_000;
/** How long SQLite itself waits for a lock (ms). Longer would park a thread that all extensions share. */
export const BUSY_TIMEOUT_MS = 250;
/** Streamed text is handed to the writer after so many ms or characters, whichever comes first. */
export const DELTA_FLUSH_MS = 50;
export const DELTA_FLUSH_CHARS = 2_048;
/** How long (ms) a request or a tool waits for what led to it to be written, before it goes on unsaved. */
export const GATE_MS = 2_000;
/** How often (ms) a window looks at what others changed: while something of it is on screen or runs, and otherwise. */
export const WATCH_MS = 500;
export const WATCH_IDLE_MS = 5_000;
/** Rows that the feed of changes keeps for other windows. One that missed more reads anew. */
export const FEED_ROWS = 1_000;
/** How long (ms) a window that is asked to yield a run may take, before the run is ended for it. */
export const TAKEOVER_MS = 2_000;
/** How long (ms) a tool that runs may still take when its run is to be yielded. */
export const YIELD_TOOL_MS = 1_000;
/** How often (ms) the end of a run that was asked for is looked for. */
export const TAKEOVER_PROBE_MS = 100;
/** How often a read that meets a lock is tried, each time for SQLite's own time-out and a pause. */
export const READ_TRIES = 8;
/** Results of tools that are longer (UTF-8 bytes) stand in a table of their own. */
export const BLOB_BYTES = 65_536;
/** Words in the composer are written once they have rested for so long (ms). */
export const DRAFT_MS = 500;

// Views
/** Characters of transcript in one snapshot or page. */
export const PAGE_CHARS = 262_144;
/** Messages in one page at most. */
export const PAGE_MESSAGES = 200;
/** Characters of one part in a snapshot or page; the rest is fetched when unfolded. */
export const PART_CHARS = 32_768;
/** Events are posted to a view at most once in so many ms. */
export const FRAME_MS = 33;
/** Batches that a view may leave unacknowledged before the host merges instead of posting. */
export const UNACKNOWLEDGED_BATCHES = 2;
/** A view that acknowledges nothing for so long (ms) is stale. */
export const ACKNOWLEDGE_MS = 2_000;
/** Longest message (UTF-16 units) that a person can send. */
export const MESSAGE_CHARS = 1_000_000;
/** Messages that can wait for the turn before them, and their longest length (UTF-16 units): every view shows them. */
export const QUEUED_MESSAGES = 20;
export const QUEUED_CHARS = 32_768;
/** Longest title (UTF-16 units) made from a first message. */
export const TITLE_CHARS = 80;

// Agent
/** Requests to the model in one turn. */
export const STEPS_PER_TURN = 50;
/** Calls in one answer that are run; more are refused with a count. A part's place in its message is at most 250. */
export const CALLS_PER_MESSAGE = 100;
/** Parts of one answer; what comes after goes into the last part of its kind. The file holds 251. */
export const PARTS_PER_MESSAGE = 240;
/** Rough characters per token, for cutting old messages off a request before the server would. */
export const CHARS_PER_TOKEN = 3;
/** Characters of texts whose estimated tokens are remembered: a few windows of the longest kind. */
export const REMEMBERED_SPLIT_CHARS = 4_000_000;
/** Steps of a conversation that the correction of estimates is learnt from. */
export const LEARNT_STEPS = 24;
/** Share of the window that is kept free for the answer. */
export const ANSWER_SHARE = 0.25;

// Model server
/** How often (ms) a server that does not answer is asked again while a view is on screen. */
export const SERVER_RETRY_MS = 5_000;
/** How often (ms) a server that answers is asked again while a view is on screen. */
export const SERVER_REFRESH_MS = 30_000;
/** How long (ms) a question about the server itself (models, version) may take. Answers of a model have no limit. */
export const SERVER_QUESTION_MS = 10_000;
/** Characters that are kept of the server's own words about a failure, and of what a model wrote for arguments. */
export const SERVER_WORDS_CHARS = 4_096;
/** A connection that has been silent for so long (ms) is probed by the system, again and again. */
export const CONNECTION_PROBE_MS = 30_000;
/** How long (ms) the words of a refusal may take to arrive once its status is known. */
export const REFUSAL_WORDS_MS = 5_000;
/** Longest record (bytes) of a stream. The server's own limit for one call is 8 MB. */
export const RECORD_BYTES = 16_777_216;
/** Bytes of a response that are read ahead of whoever uses them before the server is made to wait. */
export const STREAM_QUEUE_BYTES = 1_048_576;
/** Longest answer (bytes) to a question about the server: a model's description carries its licence and template. */
export const QUESTION_BYTES = 33_554_432;
/** How deep the arguments of a call may be nested: deeper ones overflow the stack of whoever walks them. */
export const ARGUMENT_DEPTH = 64;

// Tools
/** Characters of one result of a tool. */
export const TOOL_RESULT_CHARS = 60_000;
/** Lines and UTF-8 bytes of a file in one result. */
export const READ_LINES = 2_000;
export const READ_BYTES = 51_200;
/** Characters of one line of a file in a result. */
export const READ_LINE_CHARS = 2_000;
/** Largest file (bytes) that is read without a range of lines. */
export const READ_FILE_BYTES = 10_485_760;
/** Entries of one folder in a result. */
export const LIST_ENTRIES = 500;
/** Matches in one result of a search. */
export const SEARCH_MATCHES = 100;
/** Characters of one line in a result of a search. */
export const SEARCH_LINE_CHARS = 300;
/** Longest record (bytes) of the search program that is read: a line of the searched file, in JSON. */
export const SEARCH_RECORD_BYTES = 1_048_576;
/** Characters that are kept of what the search program says about a failure. */
export const SEARCH_WORDS_CHARS = 1_000;
