import { NAMES } from './names.ts'
import type { Pattern } from './pattern.ts'
import { PHRASES } from './phrases.ts'
import { SENTENCES } from './sentences.ts'
import { TERMS } from './terms.ts'

/** All that `npm run lint` looks for in comments, messages, documents and names. */
export const PATTERNS: readonly Pattern[] = [...PHRASES, ...SENTENCES, ...TERMS, ...NAMES]
