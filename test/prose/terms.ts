import { type Pattern, READ } from './pattern.ts'

/** Nouns that only this project used, and words that have one word in its dictionary. */
export const TERMS: readonly Pattern[] = [
  {
    find: String.raw`\bstandings?\b`,
    instead: '"status", "state"',
    bad: 'The standing of a node.',
    fine: 'The status of a node.',
  },
  {
    find: String.raw`\b(?:the|its|their|a|one|whole|of|on|batch|firm) grounds?\b(?! that\b)`,
    instead: '"facts", "what it rests on"',
    bad: 'The ground of a batch.',
    fine: 'The facts about a batch.',
  },
  {
    find: String.raw`\b(?:the|its|their|whose|other|runner's|of) hands\b`,
    instead: '"host", "port", "operators"',
    bad: 'The hands of a runner.',
    fine: 'The port of a runner.',
  },
  {
    find: String.raw`\bdeeds?\b`,
    instead: '"applied changes", "effects"',
    bad: 'The deeds of a run.',
    fine: 'The changes of a run.',
  },
  {
    find: String.raw`\bpapers\b`,
    instead: '"licences", "reports"',
    bad: 'The papers of a package.',
    fine: 'The licences of a package.',
  },
  {
    find: String.raw`\btales?\b`,
    instead: '"history"',
    bad: 'The tale of an instance.',
    fine: 'The history of an instance.',
  },
  {
    find: String.raw`\bmandates?\b`,
    instead: '"maintenance", "request"',
    bad: 'The mandate of a node.',
    fine: 'The maintenance of a node.',
  },
  {
    find: String.raw`\b(?:the|its|a|cloud|window) book\b`,
    instead: '"registry", "list"',
    bad: 'The book of clouds.',
    fine: 'The list of clouds.',
  },
  {
    find: String.raw`\bstrangers?\b`,
    instead: '"unknown node", "somebody else\'s"',
    bad: 'A stranger in the list.',
    fine: 'An unknown node in the list.',
  },
  {
    find: String.raw`\bmisfits?\b`,
    instead: '"malformed answer"',
    bad: 'The answer is a misfit.',
    fine: 'The answer is malformed.',
  },
  {
    find: String.raw`\b(?:some|any)body\b`,
    instead: '"you", "another operator", or the name',
    kinds: ['message'],
    bad: 'Somebody cordoned it.',
    fine: 'Another operator cordoned it.',
  },
  {
    find: String.raw`\bstor(?:y|ies)\b`,
    instead: '"history", "journal"',
    bad: 'Its story cannot be unpacked.',
    fine: 'Its journal cannot be unpacked.',
  },
  {
    find: String.raw`\bholds\b(?! (?:the |its |this |that |a |…)?(?:Lease|lock|flag|up))`,
    instead: '"passes", "is true", "has", "contains"',
    kinds: ['message'],
    bad: 'This check holds.',
    fine: 'ben holds the Lease.',
  },
  {
    find: String.raw`\btak(?:e|es|en|ing) (?:it |them )?back\b`,
    instead: '"undo", "withdraw"',
    kinds: READ,
    bad: 'The cordon was taken back.',
    fine: 'The run removed the cordon.',
  },
  {
    find: String.raw`\b(?:br(?:eak|eaks|oke|oken)|call(?:ed|s)?) (?:it )?off\b`,
    instead: '"stop", "cancel"',
    bad: 'The run was broken off.',
    fine: 'ben stopped the run.',
  },
  {
    find: String.raw`\b(?:br(?:ing|ings|ought)|comes?|came|go|goes) home\b`,
    instead: '"bring its instances back"',
    bad: 'Instances come home.',
    fine: 'Instances come back to their node.',
  },
  {
    find: String.raw`(?<!encrypt\w* )\bat rest\b`,
    instead: '"not moved", "stays off"',
    bad: 'An instance at rest.',
    fine: 'It stays off.',
  },
  {
    find: String.raw`\bas it was written\b`,
    instead: '"unchanged", "intact"',
    bad: 'Its entry is as it was written.',
    fine: 'Its entry is intact.',
  },
]
