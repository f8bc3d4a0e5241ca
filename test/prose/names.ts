import type { Pattern } from './pattern.ts'

/** Names that only this project used. A name is matched as its words in small letters. */
export const NAMES: readonly Pattern[] = (
  [
    [
      String.raw`\b(?:standings?|stand of)\b`,
      '`NodeStatus`, `LeaseState`, `RunnerHealth`',
      'runner standing',
      'runner health',
    ],
    [String.raw`\bgrounds?\b`, '`…Facts`', 'batch ground', 'background color'],
    [String.raw`\bhands\b`, '`…Host`, `…Port`', 'runner hands', 'hand over'],
    [String.raw`\bdeeds?\b`, '`appliedChanges`, `EFFECTS`', 'undo deeds', 'applied changes'],
    [String.raw`\bpapers\b`, '`licences`', 'write papers', 'write licences'],
    [String.raw`\btales?\b`, '`…History`', 'instance tale', 'instance history'],
    [String.raw`\bmandates?\b`, '`NodeMaintenance`', 'node mandates', 'node maintenance'],
    [String.raw`(?<!\baddress )\bbooks?\b`, '`…Registry`, `…Reader`', 'cloud book', 'cloud registry'],
    [String.raw`\bstrangers\b`, '`unknownNodes`', 'strangers', 'unknown nodes'],
    [String.raw`\bmisfits?\b`, '`MalformedAnswer`', 'misfit', 'malformed answer'],
    [String.raw`\boutlast(?:s|ed|ing)?\b`, '`RetryPolicy`', 'outlasting', 'retry policy'],
    [
      String.raw`\b(?:told|heard|anew|afresh|retake|story|stories)\b`,
      'a verb of the field: `reported`, `received`, `again`',
      'is told before',
      'reported before',
    ],
    [String.raw`\bare none\b|\bis none\b`, '`malformed…`, `invalid…`', 'answers that are none', 'malformed answers'],
    [`^(?:tell|ask|is over|words 2)$`, 'the verb and its object: `sendToNova`', 'tell', 'tell owner'],
  ] as const
).map(([find, instead, bad, fine]) => ({ find, instead, kinds: ['name'] as const, bad, fine }))
