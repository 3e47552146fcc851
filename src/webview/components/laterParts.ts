/** The parts that {@link loadLater} loads. */
export { CommandPopup } from './commandPopup';
export { ContextPopup } from './contextPopup';
export { GrantMenu } from './grantMenu';
export { ModelPopup } from './modelPopup';
export { ModePopup } from './modePopup';
export { NoModels } from './noModels';
export { NoServer } from './noServer';
export { PullList } from './pullList';
export { PullRow } from './pullRow';
