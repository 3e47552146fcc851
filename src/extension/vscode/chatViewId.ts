/** The id of the view, as in package.json. */
export const CHAT_VIEW = 'holdfast.chat';
