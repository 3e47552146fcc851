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
/** Bytes of images in one page that is read from the file. No view gets them with the page. */
export const PAGE_IMAGE_BYTES = 33_554_432;
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
/** Images that go with one message, and the largest of them (bytes). */
export const IMAGES_PER_MESSAGE = 4;
export const IMAGE_BYTES = 10_485_760;
/** Longest name (UTF-16 units) of an image that is kept. */
export const IMAGE_NAME_CHARS = 200;
/** Messages that can wait for the turn before them, and their longest length (UTF-16 units): every view shows them. */
export const QUEUED_MESSAGES = 20;
export const QUEUED_CHARS = 32_768;
/** Longest title (UTF-16 units) made from a first message. */
export const TITLE_CHARS = 80;

// Agent
/** Turns that begin without a word of the person, one after the other: with results of sub-agents. */
export const AUTONOMOUS_TURNS = 3;
/** Characters of history in memory for each token of the window, so that a model can be told as much as it can take. */
export const HISTORY_CHARS_PER_TOKEN = 5;
/** What an image counts as there: the tokens that the server takes for one. */
export const HISTORY_CHARS_PER_IMAGE = 768 * HISTORY_CHARS_PER_TOKEN;
/** Requests to the model in one turn. */
export const STEPS_PER_TURN = 50;
/** Calls in one answer that are run; more are refused with a count. A part's place in its message is at most 250. */
export const CALLS_PER_MESSAGE = 100;
/** Parts of one answer; what comes after goes into the last part of its kind. The file holds 251. */
export const PARTS_PER_MESSAGE = 240;
/** Calls of one answer that run at once, where they only read. */
export const CALLS_AT_ONCE = 4;
/** How often (ms) what a running call prints is shown, and how often it is written to the file, at most. */
export const OUTPUT_SHOWN_MS = 100;
export const OUTPUT_WRITTEN_MS = 1_000;
/** Words (UTF-16 units) with which a person denies a call. */
export const DENIAL_CHARS = 4_000;
/** Characters of one answer, thinking included. What is longer has no end. */
export const ANSWER_CHARS = 400_000;
/** How often a request is made again that failed for a passing reason before its answer began. */
export const REQUEST_TRIES = 3;
/** First and longest pause (ms) before such a try. */
export const REQUEST_RETRY_FIRST_MS = 1_000;
export const REQUEST_RETRY_LONGEST_MS = 30_000;
/** Longest pause (ms) that a server may ask for before such a try. */
export const REQUEST_WAIT_LONGEST_MS = 60_000;
/** How often an answer that the server could not read is asked for anew, before the model is told so. */
export const FAULT_TRIES = 2;
/** Failed calls in a row, over more than one answer, that end a turn. */
export const FAILED_CALLS = 5;
/** The same call in a row, alone or in a cycle with others: so many are warned about, and so many end the turn. */
export const REPEATS_WARNED = 3;
export const REPEATS_ENDED = 5;
/** Calls in the longest cycle that is noticed. */
export const REPEAT_PERIOD = 3;
/** Longest answer (characters) that is taken for nothing but an announcement. */
export const ANNOUNCEMENT_CHARS = 400;
/** A prompt is cut when the server has read less than this share of it. Prompts with fewer tokens are not looked at. */
export const PROMPT_CUT_SHARE = 0.6;
export const PROMPT_CUT_TOKENS = 1_000;
/** Characters of texts whose estimated tokens are remembered: a few windows of the longest kind. */
export const REMEMBERED_SPLIT_CHARS = 4_000_000;
/** Steps of a conversation that the correction of estimates is learnt from. */
export const LEARNT_STEPS = 24;
/** Share of the window that a prompt takes at most; the rest is for the answer, and for what an estimate may be off by. */
export const FIT_SHARE = 0.85;
/** How often what is left out is chosen anew, since the estimate of what is left is another one. */
export const FIT_TRIES = 4;
/** The same after a server found too long what was made to fit. */
export const TIGHT_SHARE = 0.5;
/** Share of the window from which on older messages are summarised. */
export const COMPACT_SHARE = 0.8;
/** Share of the window that the newest messages may take that are not summarised. */
export const COMPACT_KEEP_SHARE = 0.25;
/** Share of the window that must be gained by a summary to be worth a request. */
export const COMPACT_LEAST_SHARE = 0.15;
/** Share of the window that a summary takes at most. */
export const SUMMARY_SHARE = 0.12;
/** Share of the window that one result of a tool takes at most in a request. */
export const RESULT_SHARE = 0.25;

// Context: files of the person and the folder that go along with every request
/** Share of the model's window that they may take, and how many UTF-8 bytes at most, in all and for one of them. */
export const BACKGROUND_SHARE = 0.2;
export const BACKGROUND_BYTES = 65_536;
export const BACKGROUND_FILE_BYTES = 24_576;
/** UTF-8 bytes that stand for a token when room for them is measured: right for code and prose, and for Chinese. */
export const BYTES_PER_TOKEN = 3;
/** Room (UTF-8 bytes) below which a text is left out whole rather than cut to a few words. */
export const BACKGROUND_LEAST_BYTES = 400;
/** Largest such file (bytes) that is read. */
export const CONTEXT_FILE_BYTES = 262_144;
/** How long (ms) reading all of them may take; what is not there by then is left out of the turn. */
export const CONTEXT_READ_MS = 2_000;
/** Folders touched last whose AGENTS.md is looked for, and how many that are found go along. */
export const TOUCHED_FOLDERS = 100;
export const TOUCHED_INSTRUCTIONS = 10;
/** Skills of one folder of skills, and in all. */
export const SKILLS = 100;
/** Characters of a skill's name, and of its description in the list. */
export const SKILL_NAME_CHARS = 64;
export const SKILL_DESCRIPTION_CHARS = 500;
/** Files beside a SKILL.md that are named. */
export const SKILL_FILES = 100;

// Model server
/** How often (ms) a server that does not answer is asked again while a view is on screen. */
export const SERVER_RETRY_MS = 5_000;
/** How often (ms) a server that answers is asked again while a view is on screen. */
export const SERVER_REFRESH_MS = 30_000;
/** How often (ms) places are looked for where a server may answer instead, while none does. */
export const OFFERS_MS = 60_000;
/** Models that one window makes the server get at the same time. */
export const PULLS_AT_ONCE = 4;
/** Views are told how far pulls are at most once in so many ms. */
export const PULL_UPDATE_MS = 250;
/** The rate of a pull is measured over so many ms at least, and its figures lose weight with this time constant (ms). */
export const PULL_SAMPLE_MS = 1_000;
export const PULL_SMOOTHING_MS = 5_000;
/** Characters of the server's own words in the sentence that says why a pull failed. */
export const PULL_WORDS_CHARS = 300;
/** How long (ms) a question about the server itself (models, version) may take. Answers of a model have no limit. */
export const SERVER_QUESTION_MS = 10_000;
/** How long (ms) the descriptions of models that a list leaves out may take together, and how many are asked at once. */
export const MODEL_QUESTIONS_MS = 3_000;
export const MODEL_QUESTIONS_AT_ONCE = 4;
/** How long (ms) a place where a server may be is given to answer. */
export const PROBE_MS = 4_000;
/** How long (ms) a request waits for its first record before what the server does is looked up, and how often then. */
export const WAIT_FIRST_LOOK_MS = 300;
export const WAIT_LOOK_MS = 1_000;
/** How often it is looked up once the model is loaded: it may still be loaded anew, for another window. */
export const WAIT_LOOK_READING_MS = 5_000;
/** Longest time (ms) for which a server's wish to be left alone is taken seriously. */
export const RETRY_AFTER_MS = 3_600_000;
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
/** Longest name (characters) of a call that is taken for one of a tool, with all that models put around it. */
export const TOOL_NAME_CHARS = 1_000;
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
/** Largest file (bytes) that a search looks into. */
export const SEARCH_FILE_BYTES = 104_857_600;
/** Files in one result of looking for files, and how many are counted. */
export const FIND_FILES = 200;
export const FIND_COUNTED = 20_000;
/** Wildcards `*` in one pattern for files: what has many can take minutes to compare with one long name. */
export const GLOB_STARS = 6;
/** Longest path (bytes) and longest line about a file that was left out (bytes) that are read. */
export const FIND_PATH_BYTES = 65_536;
/** Longest record (bytes) of the search program that is read: a line of the searched file, in JSON. */
export const SEARCH_RECORD_BYTES = 1_048_576;
/** Characters that are kept of what the search program says about a failure. */
export const SEARCH_WORDS_CHARS = 1_000;
/** Longest command line (UTF-16 units) that is read as a program call, and longest one or path that a rule is offered for. */
export const PROGRAM_CALL_CHARS = 8_192;
export const RULE_CHARS = 2_000;
/** Largest list (bytes) of what is hidden from the agent. Without it nothing of the folder is used. */
export const IGNORE_FILE_BYTES = 65_536;
/** Longest pattern of a command line (UTF-16 units) that is compared with it; a longer one may name anything. */
export const GLOB_CHARS = 500;
/** Rules in it, and how often one of them says `**` within a path: each makes all comparing dearer. */
export const IGNORE_RULES = 1_000;
export const IGNORE_DOUBLE_STARS = 2;
/** Longest path (UTF-16 units) that is looked at: no system opens a longer one. */
export const PATH_CHARS = 4_096;
/** Steps of a path that is compared with what is hidden; one with more counts as hidden. */
export const PATH_STEPS = 100;
/** Links that are followed on the way to one file. */
export const PATH_LINKS = 40;
/** Pieces of a command line that are followed where they may be links. */
export const NAMED_LINKS = 1_000;
/** Pieces of a command line, folders that it names, and entries of those: with more it may name something hidden. */
export const NAMED_PIECES = 2_000;
export const NAMED_FOLDERS = 32;
export const NAMED_FOLDER_ENTRIES = 10_000;

// Commands
/** Longest command line (UTF-16 units): systems take no more as one argument, and somebody has to read it. */
export const COMMAND_CHARS = 32_768;
/** How long (seconds) a command may take: if nothing else is asked for, and at most. */
export const COMMAND_SECONDS = 600;
export const COMMAND_LONGEST_SECONDS = 3_600;
/** Bytes from the beginning and from the end of what a command printed in one result. What lies between is read on demand. */
export const COMMAND_HEAD_BYTES = 8_192;
export const COMMAND_TAIL_BYTES = 24_576;
/** The end of what a command has printed that is kept in memory, and how much of it is shown while it runs (bytes). */
export const COMMAND_MEMORY_BYTES = 65_536;
export const COMMAND_LIVE_BYTES = 32_768;
/** What a command has printed is shown at most once in so many ms. */
export const COMMAND_LIVE_MS = 100;
/** Bytes of a line that has no end yet: so far back can a progress bar be overwritten. */
export const COMMAND_LINE_BYTES = 16_384;
/** Bytes of output that are kept in a file, and how many of them may wait to be written before the command has to wait. */
export const COMMAND_SPILL_BYTES = 67_108_864;
export const COMMAND_SPILL_QUEUE_BYTES = 4_194_304;
/** A file or pipe of a command has its name for a moment: one that has it for so long (ms) was left by a dead window. */
export const COMMAND_NAME_MS = 60_000;
/** Bytes of output that are read in one slice of time (ms): what prints without end must not take the whole processor. */
export const COMMAND_SLICE_BYTES = 4_194_304;
export const COMMAND_SLICE_MS = 30;
/** How long (ms) the end of the output is waited for when a command has ended: what it left running may hold it open. */
export const COMMAND_PIPE_QUIET_MS = 250;
export const COMMAND_PIPE_LONGEST_MS = 2_000;
/** How long (ms) a command may take to end when asked to, and for how long what is left is then killed again and again. */
export const COMMAND_TERM_MS = 500;
export const COMMAND_KILL_MS = 5_000;
/** How often (ms) it is looked whether processes are gone. */
export const COMMAND_GONE_MS = 25;
/** First and longest pause (ms) between looks at what a command has started, so that it is known when it is stopped. */
export const COMMAND_LOOK_FIRST_MS = 250;
export const COMMAND_LOOK_LONGEST_MS = 30_000;
/** Commands of one conversation that run at the same time, and ended ones whose output can still be read. */
export const COMMANDS_AT_ONCE = 8;
export const COMMANDS_KEPT = 16;
/** How long (ms) a call waits for what a command in the background prints first, and for what comes right after it. */
export const COMMAND_FIRST_MS = 1_000;
export const COMMAND_FIRST_QUIET_MS = 200;
/** Longest time (seconds) for which a call can wait for a command in the background. */
export const COMMAND_WAIT_SECONDS = 120;
/** Characters that can be typed into a command at once. */
export const COMMAND_INPUT_CHARS = 10_000;

// Edits
/** Changed places of a file that are shown with a call, their lines in all, and characters of one line and of all. */
export const DIFF_HUNKS = 50;
export const DIFF_LINES = 400;
export const DIFF_LINE_CHARS = 500;
export const DIFF_CHARS = 30_000;
/** Changed lines up to which the least change between two texts is looked for; beyond, it is all old, then all new. */
export const DIFF_EDIT_LINES = 500;
/** Places that are named when an edit could be meant for more than one. */
export const EDIT_PLACES = 10;
/** Places that one edit replaces at most. */
export const EDIT_PLACES_REPLACED = 10_000;
/** Longest text (UTF-16 units) in which lines are looked for that are only like those of an edit. */
export const EDIT_ALIKE_CHARS = 2_000_000;
/** Lines of the file that are shown when what an edit should replace is not there. */
export const EDIT_NEAREST_LINES = 12;

// Other tools, and those of other extensions
/** Problems in one result, and characters of the words of one. */
export const PROBLEMS = 100;
export const PROBLEM_CHARS = 300;
/** Items of a list of what is to be done, and characters of one. */
export const TODO_ITEMS = 50;
export const TODO_CHARS = 300;
/** Characters of one thing that is remembered. */
export const MEMORY_ENTRY_CHARS = 500;
/** Tools of other extensions that are offered; characters of the name, the description and the schema of one. */
export const FOREIGN_TOOLS = 64;
export const FOREIGN_NAME_CHARS = 64;
export const FOREIGN_DESCRIPTION_CHARS = 1_000;
export const FOREIGN_SCHEMA_CHARS = 16_384;
/** Characters that are kept of why a tool of others failed. */
export const FOREIGN_WORDS_CHARS = 500;
