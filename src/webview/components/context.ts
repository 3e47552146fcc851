import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageStore } from '../store/pageStore';

const PageContext = createContext<PageStore | undefined>(undefined);

export const PageProvider = PageContext.Provider;

/** The page's store. Components get it here, so that a row deep in the list needs no chain of props. */
export function usePage(): PageStore {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('A component stands outside PageProvider');
  return page;
}
