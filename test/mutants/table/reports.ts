import type { Catcher, Mutant } from '../mutant.ts'

const VERIFY = 'main/reports/verify-report.ts'
const CSV = 'shared/domain/csv.ts'
const MARKDOWN = 'main/reports/markdown.ts'

/** What makes a report worth something to who did not make it. */
export const REPORT_MUTANTS: readonly Mutant[] = [
  {
    name: 'report-any-seal',
    harm: 'A report that somebody changed after it was made verifies.',
    changes: [
      {
        file: VERIFY,
        from: 'const holds = report.seal === sealOf(report) ||',
        to: 'const holds = report.seal !== "" ||',
      },
    ],
    caughtBy: verify('in who made it is found in its seal'),
  },
  {
    name: 'report-key-written-twice',
    harm: 'A report shows a forged title and outcome before the true ones, and verifies.',
    changes: [{ file: 'main/reports/read-report.ts', from: 'if (twice !== null && (', to: 'if (twice === "" && (' }],
    caughtBy: verify('a report with a repeated key is changed in another spelling'),
  },
  {
    name: 'report-seal-over-a-part',
    harm: 'The title of a report can be changed without its seal.',
    changes: [
      {
        file: 'main/reports/seal.ts',
        from: 'seal: undefined, signature: undefined }))',
        to: 'seal: undefined, signature: undefined, title: undefined, madeBy: undefined }))',
      },
    ],
    caughtBy: verify('in who made it is found in its seal'),
  },
  {
    name: 'report-changed-entry-unseen',
    harm: 'A report with an entry that never happened verifies.',
    changes: [{ file: VERIFY, from: 'if (link.digest !== sha256(digestText(entry)))', to: 'if (false)' }],
    caughtBy: verify('in an entry is found in its entries'),
  },
  {
    name: 'report-entry-put-in-unseen',
    harm: 'An entry without a link in the chain is taken for one of the journal.',
    changes: [
      {
        file: VERIFY,
        from: 'if (link === undefined) return {',
        to: 'if (link === undefined) continue\n    if (link === null) return {',
      },
    ],
    caughtBy: verify('in an entry that was put in is found in its entries'),
  },
  {
    name: 'report-missing-link-unseen',
    harm: 'A link that was taken out of the middle is not missed.',
    changes: [
      { file: VERIFY, from: 'if (link.seq !== seq)', to: 'if (false)' },
      { file: VERIFY, from: 'if (link.hash !== sha256(linkText(before, link)))', to: 'if (false)' },
    ],
    caughtBy: verify('in a link is found in its chain'),
  },
  {
    name: 'report-other-end-unseen',
    harm: 'The hash that is compared by hand is not that of the entries.',
    changes: [
      { file: VERIFY, from: 'const holds = chain.after === before\n', to: 'const holds = chain.after !== ""\n' },
    ],
    caughtBy: verify('in the last hash is found in its chain'),
  },
  {
    name: 'report-changed-number-unseen',
    harm: 'Figures and instances of a report can be changed and sealed again.',
    changes: [
      {
        file: VERIFY,
        from: 'if (part === null) return { holds: true,',
        to: 'if (part !== "") return { holds: true,',
      },
    ],
    caughtBy: verify('in its summary, sealed again is found in its contents'),
  },
  {
    name: 'report-page-not-compared',
    harm: 'The page that people read says something else than the report in it.',
    changes: [{ file: VERIFY, from: 'if (tools.htmlOf(report) === content)', to: 'if (tools.htmlOf(report) !== "")' }],
    caughtBy: verify('in what the page shows is found in the page'),
  },
  {
    name: 'report-journal-not-asked',
    harm: 'A report that was made again without the failures verifies on the console that has them.',
    changes: [
      {
        file: VERIFY,
        from: "{ what: 'journal', ...rebuilding(report, tools, () => journalFound(report, tools)) },",
        to: '',
      },
    ],
    caughtBy: verify('all made again, with an entry left out, is found by the journal that has that entry'),
  },
  {
    name: 'report-any-signature',
    harm: 'A report that somebody else signed counts as signed by the key in it.',
    changes: [
      {
        file: VERIFY,
        from: '!signatureHolds(signature.publicKey, sealText(report), signature.value) ||\n    fingerprint !== signature.fingerprint',
        to: 'fingerprint !== signature.fingerprint',
      },
    ],
    caughtBy: verify('and changed and sealed again does not hold'),
  },
  {
    name: 'report-fingerprint-as-written',
    harm: 'A report with our fingerprint written into it counts as ours.',
    changes: [
      { file: VERIFY, from: ' ||\n    fingerprint !== signature.fingerprint', to: '' },
      {
        file: VERIFY,
        from: 'const fingerprint = fingerprintOf(signature.publicKey)',
        to: 'const fingerprint = signature.fingerprint',
      },
    ],
    caughtBy: verify("under a fingerprint that is not its key's does not hold"),
  },
  {
    name: 'report-other-key-than-demanded',
    harm: 'A report by another key passes for one by the key that was demanded.',
    changes: [
      { file: VERIFY, from: 'if (wantedKey !== null && !isSameFingerprint(fingerprint, wantedKey))', to: 'if (false)' },
    ],
    caughtBy: verify('by another key than the one demanded'),
  },
  {
    name: 'report-formula-in-csv',
    harm: 'The name of an instance is run as a formula in the spreadsheet of who reads the report.',
    changes: [{ file: CSV, from: '|^[\\t\\n]/.test(seen) ?', to: '|^[\\t\\n]/.test(seen) && seen === "" ?' }],
    caughtBy: formats('is text to a spreadsheet, not a formula'),
  },
  {
    name: 'report-formula-behind-a-blank',
    harm: 'A formula behind a blank is run in spreadsheets that cut it off.',
    changes: [{ file: CSV, from: '/^\\s*[=+', to: '/^[=+' }],
    caughtBy: formats('" =1" is text to a spreadsheet, not a formula'),
  },
  {
    name: 'report-cell-ends-early',
    harm: 'A name with a quotation mark moves the cells after it: a result appears under another column.',
    changes: [{ file: CSV, from: `plain.replaceAll('"', '""')`, to: 'plain' }],
    caughtBy: formats('gives every cell back unchanged, whatever it contains'),
  },
  {
    name: 'report-column-left-out',
    harm: 'A column that says something is missing where people read a report.',
    changes: [
      {
        file: 'main/reports/sections.ts',
        from: 'isKey === true || rows.some(({ cells }) => says(cells[at]))',
        to: 'isKey === true || rows.every(({ cells }) => says(cells[at]))',
      },
    ],
    caughtBy: columns('the page has exactly the columns of the sections'),
  },
  {
    name: 'report-column-not-drawn',
    harm: 'A column that belongs below another one is missing on the page of a report.',
    changes: [
      {
        file: 'main/reports/html-sections.tsx',
        from: 'filter(({ under }) => under === main.name)',
        to: 'filter(({ under }) => under === main.title)',
      },
    ],
    caughtBy: columns('the page has exactly the columns of the sections'),
  },
  {
    name: 'report-markup-in-markdown',
    harm: 'The name of an instance becomes a link or an image in a ticket.',
    changes: [{ file: MARKDOWN, from: "    .replaceAll(/[\\\\`*_{}[\\]<>|#~&]/g, '\\\\$&')\n", to: '' }],
    caughtBy: formats('lets no name of a cloud become markup or another cell'),
  },
  {
    name: 'report-lines-in-markdown',
    harm: 'A name with a line break begins a heading or ends the table.',
    changes: [{ file: MARKDOWN, from: "    .replaceAll(/\\s+/g, ' ')\n", to: '' }],
    caughtBy: formats('lets no name of a cloud become markup or another cell'),
  },
  {
    name: 'report-script-ends-in-html',
    harm: 'A name that ends the data element runs as a script where the report is opened.',
    changes: [{ file: 'main/reports/html.ts', from: ".replaceAll('<', '\\\\u003c')", to: '' }],
    caughtBy: html('are text wherever they stand'),
  },
  {
    name: 'report-style-ends-in-html',
    harm: 'A title ends the style sheet and becomes markup where the report is opened.',
    changes: [
      { file: 'main/reports/html-style.ts', from: '/^[A-Za-z0-9 ]$/.test(sign) ? sign :', to: 'sign !== "" ? sign :' },
    ],
    caughtBy: html('are text wherever they stand'),
  },
  {
    name: 'report-redacted-with-words',
    harm: 'A report that is given away holds what people wrote of customers.',
    changes: [
      {
        file: 'main/reports/redact-report.ts',
        from: 'words: BY_PEOPLE.has(incident.kind) ? LEFT_OUT : replace.text(incident.words)',
        to: 'words: replace.text(incident.words)',
      },
    ],
    caughtBy: formats('has no name and no id of an instance or a project, and none of the words people wrote'),
  },
]

function verify(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/reports/verify-report.test.ts', title }
}

function formats(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/reports/formats.test.ts', title }
}

function html(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/reports-html/html.test.ts', title }
}

function columns(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/reports-html/columns.test.ts', title }
}
