import { describe, expect, it } from 'vitest';
import { ModelWindows } from './modelWindows';

describe('the window of a model', () => {
  it('is what the first turn wants', () => {
    expect(new ModelWindows().take('m', 8_192, false)).toBe(8_192);
  });

  it('stays while turns of the model go on, whatever is wanted meanwhile, and changes with the next that runs alone', () => {
    const windows = new ModelWindows();
    windows.take('m', 8_192, true);
    expect(windows.take('m', 32_768, false)).toBe(8_192);
    expect(windows.take('m', 32_768, true)).toBe(32_768);
    expect(windows.take('m', 8_192, false)).toBe(32_768);
  });

  it('is each model’s own', () => {
    const windows = new ModelWindows();
    windows.take('m', 8_192, true);
    expect(windows.take('other', 4_096, false)).toBe(4_096);
    expect(windows.take('m', 4_096, false)).toBe(8_192);
  });
});
