/** `$(name)` in words of others is text, not an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
