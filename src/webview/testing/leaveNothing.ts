import { cleanup } from '@testing-library/preact';
import { afterAll, afterEach } from 'vitest';
import { closePage, painted } from './page';

// A page that is left alone goes on: its clocks tick, and it draws. After the last test of a file the document is gone
// while the process is not yet, and drawing then is an error that belongs to no test and fails the whole run.
afterEach(() => {
  cleanup();
  closePage();
});

// What was drawn last has work of its own waiting for the next frame.
afterAll(painted);
