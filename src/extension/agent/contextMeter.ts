import type { Message } from '../../protocol/message';
import type { ContextMeter } from '../../protocol/status';
import { forecast, forecastOfTranscript, tokensOfParts, type Forecast, type PlannedPrompt } from './forecast';
import type { TokenSplit } from './tokenPieces';
import { corrected } from './tokenRatios';
import { sumOf, tokensOfMessage, tokensOfTools } from './tokens';

/** Windows in tokens, as far as they are known. */
export interface Windows {
  /** What the requests ask for. */
  readonly asked?: number;
  /** What the server says the loaded model has: it may give less. */
  readonly allocated?: number;
  /** What the model was trained with. */
  readonly trained?: number;
}

/**
 * How full the window will be with the planned request, or is now when the newest answer is the last thing in it.
 * `transcript`: the messages of the conversation, oldest first, with the server's figures of earlier requests.
 */
export function meterOfRequest(transcript: readonly Message[], planned: PlannedPrompt, windows: Windows): ContextMeter {
  const expected = forecast(transcript, planned);
  const isFile = (role: string): boolean => role === 'tool';
  return meter(expected, windows, {
    system: sumOf([tokensOfTools(planned.tools), ...planned.setting.map(tokensOfMessage)]),
    files: sumOf([
      ...planned.history.filter(({ role }) => isFile(role)).map(tokensOfMessage),
      ...planned.history.flatMap(({ role, images }) =>
        images === undefined || isFile(role) ? [] : [imagesAlone(images)],
      ),
    ]),
    history: sumOf(
      planned.history.filter(({ role }) => !isFile(role)).map((message) => tokensOfMessage({ ...message, images: [] })),
    ),
  });
}

/**
 * How full the window is as far as a conversation alone tells, when it is opened: by the server's figures for its newest
 * answer. What is not in `transcript` (instructions and tools; older messages that are not loaded) counts as system.
 * Undefined when the server has counted nothing in it as it is told now.
 */
export function meterOfTranscript(transcript: readonly Message[], windows: Windows): ContextMeter | undefined {
  const expected = forecastOfTranscript(transcript);
  if (expected === undefined) return undefined;
  const covered = Math.max(0, ...transcript.flatMap(({ parts }) => parts.map(coveredBy)));
  const told = transcript.filter(({ seq }) => seq > covered).map(tokensOfParts);
  const files = sumOf(told.map(({ results }) => results));
  const history = sumOf(told.map(({ said }) => said));
  const { ratios, tokens } = expected;
  const rest = Math.max(0, tokens - corrected(files, ratios) - corrected(history, ratios));
  return meter(expected, windows, { system: rest, files, history });
}

function meter(
  { tokens, reported, ratios }: Forecast,
  { asked, allocated, trained }: Windows,
  parts: { readonly system: TokenSplit | number; readonly files: TokenSplit; readonly history: TokenSplit },
): ContextMeter {
  const system = typeof parts.system === 'number' ? parts.system : corrected(parts.system, ratios);
  const files = corrected(parts.files, ratios);
  const sum = system + files + corrected(parts.history, ratios);
  const scale = sum === 0 ? 0 : tokens / sum;
  // Rounded down, so that what is left is never less than nothing.
  const shown = { system: Math.floor(system * scale), files: Math.floor(files * scale) };
  const known = [asked, allocated].filter((window) => window !== undefined);
  return {
    tokens,
    ...shown,
    history: tokens - shown.system - shown.files,
    ...(known.length === 0 ? {} : { window: Math.min(...known) }),
    ...(trained === undefined ? {} : { trained }),
    reported,
  };
}

function imagesAlone(images: readonly string[]): TokenSplit {
  const withImages = tokensOfMessage({ role: 'user', content: '', images });
  const without = tokensOfMessage({ role: 'user', content: '' });
  return { ...withImages, frame: withImages.frame - without.frame };
}

function coveredBy(part: Message['parts'][number]): number {
  return part.type === 'notice' ? part.covers : 0;
}
