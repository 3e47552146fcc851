/** What the colour of an icon says; a word or the icon itself always says it too. */
export type Tone = 'bad' | 'warn' | 'info' | 'live';
