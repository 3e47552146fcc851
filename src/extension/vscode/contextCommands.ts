import * as vscode from 'vscode';
import { makeFile } from '../agent/context/makeFile';
import { MEMORY_HEADING } from '../agent/context/memoryEntries';
import {
  AGENTS_FILE,
  agentsPlaces,
  MEMORY_FILE,
  memoryPlaces,
  shownPath,
  type ContextPlace,
} from '../agent/context/places';
import { personsHome } from './contextFiles';
import { currentFolder, rootOf } from './folder';

interface PlaceItem extends vscode.QuickPickItem {
  readonly place: ContextPlace;
}

/** Opens what the agent remembers, of the folder or everywhere. */
export function openMemory(): Promise<void> {
  return openOne(memoryPlaces, MEMORY_FILE, MEMORY_HEADING, 'Memory to open');
}

/** Opens what the agent is told of how to work, in the folder or everywhere. */
export function openInstructions(): Promise<void> {
  return openOne(agentsPlaces, AGENTS_FILE, '# Instructions for agents\n', 'AGENTS.md to open');
}

async function openOne(placesOf: typeof memoryPlaces, file: string, heading: string, title: string): Promise<void> {
  const folder = currentFolder();
  const [home, root] = [personsHome(), rootOf(folder)];
  const places = placesOf({ ...(home === undefined ? {} : { home }), ...(root === undefined ? {} : { root }) });
  const items = places.toReversed().map((place): PlaceItem => {
    const label = place.scope === 'global' ? 'All folders' : 'This folder';
    return { label, description: shownPath(place, file), place };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: root === undefined ? whyNoFolder(folder) : 'For this folder or for all of them',
  });
  if (picked === undefined) return;
  const made = await makeFile(picked.place, file, heading);
  if (made.ok) await vscode.window.showTextDocument(vscode.Uri.file(made.value), { preview: false });
  else void vscode.window.showErrorMessage(made.failure);
}

/** Why nothing of a folder is offered. */
function whyNoFolder(folder: vscode.WorkspaceFolder | undefined): string {
  if (folder === undefined) return 'No folder is open: only what holds for all folders';
  if (!vscode.workspace.isTrusted)
    return 'In Restricted Mode nothing of the folder is used: only what holds for all folders';
  return 'The folder is not on this machine: only what holds for all folders';
}
