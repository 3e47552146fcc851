import { describe, expect, it } from 'vitest';
import { headerNameFault, headerValueFault } from './headerRules';

describe('a header of the person', () => {
  it.each(['Authorization', 'X-Api-Key', 'cf-access-client-id'])('may be named %s', (name) =>
    expect(headerNameFault(name)).toBeUndefined(),
  );

  it.each(['', 'two words', 'Name:', 'naïve', 'Host', 'content-length', 'Transfer-Encoding', 'x\r\ny'])(
    'cannot be named %j',
    (name) => expect(headerNameFault(name)).toMatch(/\.$/),
  );

  it('may have a value of any characters that a line of HTTP takes', () => {
    expect(headerValueFault('Bearer a.b-c_d~e+f/g==')).toBeUndefined();
  });

  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'ключ'])(
    'cannot have the value %j, and the refusal does not repeat it',
    (value) => {
      const fault = headerValueFault(value);
      expect(fault).toBeDefined();
      expect(fault).not.toContain(value);
    },
  );
});
