import type { Catcher, Mutant } from '../mutant.ts'

const SENDER = 'main/faces/serve/sender.ts'
const DOOR = 'main/faces/serve/door.ts'
const PAGE = 'main/faces/serve/answer-page.ts'
const FILES = 'main/api/page-files.ts'

/** Access to a served console, and the data that it discloses. */
export const SERVE_MUTANTS: readonly Mutant[] = [
  {
    name: 'serve-any-host',
    harm: 'A page whose name was rebound to this machine reads the console.',
    changes: [{ file: SENDER, from: 'host === undefined || !hosts.has(host.toLowerCase())', to: 'host === undefined' }],
    caughtBy: unit('sender', 'a name that was rebound to us'),
  },
  {
    name: 'serve-host-by-its-beginning',
    harm: 'A name that begins as ours is taken for ours.',
    changes: [
      {
        file: SENDER,
        from: '!hosts.has(host.toLowerCase())',
        to: '![...hosts].some(ours => host.toLowerCase().startsWith(ours))',
      },
    ],
    caughtBy: unit('sender', 'a name that begins as ours'),
  },
  {
    name: 'serve-any-origin',
    harm: 'A foreign page in the operator’s browser acts with the console.',
    changes: [{ file: SENDER, from: 'needsOrigin : origin !==', to: 'needsOrigin : false && origin !==' }],
    caughtBy: unit('sender', 'a page of another port'),
  },
  {
    name: 'serve-origin-by-its-end',
    harm: 'A page whose origin ends as ours acts with the console.',
    changes: [
      { file: SENDER, from: 'needsOrigin : origin !==', to: 'needsOrigin : !origin.endsWith(host) && origin !==' },
    ],
    caughtBy: unit('sender', 'a page whose origin ends as ours'),
  },
  {
    name: 'serve-no-origin-needed',
    harm: 'A request that hides where it comes from changes a token into a key.',
    changes: [{ file: SENDER, from: 'origin === undefined ? needsOrigin :', to: 'origin === undefined ? false :' }],
    caughtBy: unit('sender', 'a page that tells no origin'),
  },
  {
    name: 'serve-links-of-other-sites',
    harm: 'A link on another site opens the console.',
    changes: [
      { file: SENDER, from: "if (site !== undefined && site !== 'same-origin' && site !== 'none')", to: 'if (false)' },
    ],
    caughtBy: unit('sender', 'another site'),
  },
  {
    name: 'serve-token-used-twice',
    harm: 'A later reader of the printed address gets access too.',
    changes: [{ file: DOOR, from: '      token = null\n', to: '' }],
    caughtBy: unit('door', 'a token lets one tab in, once'),
  },
  {
    name: 'serve-token-for-ever',
    harm: 'An address in a terminal’s history lets somebody in days later.',
    changes: [{ file: DOOR, from: 'now() - token.since > TOKEN_MS || ', to: '' }],
    caughtBy: unit('door', 'a token is good for ten minutes'),
  },
  {
    name: 'serve-key-never-idles-out',
    harm: 'The key of a closed tab still gives access.',
    changes: [{ file: DOOR, from: ' && now() - usedAt < IDLE_MS', to: '' }],
    caughtBy: unit('door', 'a key that nobody uses ends after an hour'),
  },
  {
    name: 'serve-key-for-ever',
    harm: 'A stolen key that is in use gives access as long as the console runs.',
    changes: [{ file: DOOR, from: 'now() - since < LONGEST_MS && ', to: '' }],
    caughtBy: unit('door', 'a key that is used all the time ends after a day'),
  },
  {
    name: 'serve-any-token',
    harm: 'A guessed token gives access.',
    changes: [{ file: DOOR, from: ' || !timingSafeEqual(digestOf(given), token.digest)', to: '' }],
    caughtBy: unit('door', 'nothing but the newest token is changed into a key'),
  },
  {
    name: 'serve-key-compared-letter-by-letter',
    harm: 'The time of a refusal reports how much of a guessed key is right.',
    changes: [{ file: DOOR, from: 'timingSafeEqual(digest, key.digest)', to: 'digest.equals(key.digest)' }],
    caughtBy: unit('door', 'a token and a key are compared in the same time, whatever was given'),
  },
  {
    name: 'serve-socket-without-key',
    harm: 'Every program of this machine that knows our address acts with the console.',
    changes: [{ file: 'main/faces/serve/socket-face.ts', from: "?? (door.knows(key) ? null : 'not-entered')", to: '' }],
    caughtBy: integration('door', 'the WebSocket needs the key, our own origin and its own path'),
  },
  {
    name: 'serve-session-without-key',
    harm: 'A tab without access acts as if it had access.',
    changes: [
      {
        file: PAGE,
        from: "return door.knows(bearerOf(request)) ? say(200, '{}') : refuse('not-entered')",
        to: "return say(200, '{}')",
      },
    ],
    caughtBy: integration('door', 'a cookie lets nobody in, whatever it holds'),
  },
  {
    name: 'serve-dropped-file-without-key',
    harm: 'Anybody on this machine puts files in the place of kubeconfigs.',
    changes: [{ file: PAGE, from: "    if (!door.knows(bearerOf(request))) return refuse('not-entered')\n", to: '' }],
    caughtBy: integration('attacks', 'is refused with a wrong key'),
  },
  {
    name: 'serve-dropped-file-of-any-size',
    harm: 'One file that is too large takes the memory of a console with runs.',
    changes: [{ file: PAGE, from: 'return bytes > LARGEST_DROPPED ? null :', to: 'return' }],
    caughtBy: integration('attacks', 'is not taken when it is larger than any kubeconfig'),
  },
  {
    name: 'serve-message-of-any-size',
    harm: 'One tab takes the memory of a console with runs.',
    changes: [
      {
        file: 'main/faces/serve/contract-talk.ts',
        from: "if (bytes > LARGEST_OTHER_MESSAGE && ask !== 'report.verify')",
        to: 'if (false)',
      },
    ],
    caughtBy: integration('attacks', 'that sends a message of more than 1 MB learns the limit'),
  },
  {
    name: 'serve-path-upwards',
    harm: 'Paths with .. are followed; only the check of links still holds them back.',
    changes: [{ file: FILES, from: " || parts.includes('..')", to: '' }],
    caughtBy: files('a path upwards that stays within the page'),
  },
  {
    name: 'serve-links-out-of-the-page',
    harm: 'A link in the page’s folder gives away any file of the operator.',
    changes: [{ file: FILES, from: '    if (!file.startsWith(root + sep)) return null\n', to: '' }],
    caughtBy: files('a link out of the page'),
  },
  {
    name: 'serve-folder-by-its-beginning',
    harm: 'Files of a folder whose name begins as the page’s are given away.',
    changes: [{ file: FILES, from: 'file.startsWith(root + sep)', to: 'file.startsWith(root)' }],
    caughtBy: files('a link into a folder whose name begins as the page’s'),
  },
  {
    name: 'serve-any-kind-of-file',
    harm: 'What somebody left beside the page is given away.',
    changes: [
      {
        file: FILES,
        from: 'MEDIA_TYPES[extname(path)]',
        to: "(MEDIA_TYPES[extname(path)] ?? 'text/plain')",
      },
    ],
    caughtBy: files('a file of another kind'),
  },
  {
    name: 'serve-scripts-in-the-page',
    harm: 'A name of a cloud that is a script would run in the page.',
    changes: [{ file: FILES, from: `"script-src 'self'"`, to: `"script-src 'self' 'unsafe-inline'"` }],
    caughtBy: files('the page runs its own scripts alone'),
  },
  {
    name: 'serve-page-in-a-frame',
    harm: 'A foreign page lays itself over the console and has the operator click.',
    changes: [{ file: FILES, from: `  "frame-ancestors 'none'",\n`, to: '' }],
    caughtBy: files('is in no frame'),
  },
  {
    name: 'serve-answer-without-policy',
    harm: 'The browser is not reported what the page may load.',
    changes: [{ file: PAGE, from: "  'content-security-policy': CONTENT_SECURITY_POLICY,\n", to: '' }],
    caughtBy: integration('door', 'every answer carries the policy'),
  },
  {
    name: 'serve-to-the-network',
    harm: 'Everybody on the network reaches the console.',
    changes: [
      {
        file: 'main/faces/serve/serve-console.ts',
        from: 'http.listen(options.port, LOOPBACK,',
        to: "http.listen(options.port, '0.0.0.0',",
      },
    ],
    caughtBy: unit('loopback', 'a served console is reached at 127.0.0.1 and at no other address'),
  },
  {
    name: 'attach-over-the-network',
    harm: 'Everybody on the network reads the journal of a runner, without the API server.',
    changes: [
      {
        file: 'main/faces/serve/serve-contract.ts',
        from: 'http.listen(asked, LOOPBACK,',
        to: "http.listen(asked, '0.0.0.0',",
      },
    ],
    caughtBy: unit('loopback', 'a served contract is reached at 127.0.0.1 and at no other address'),
  },
  {
    name: 'attach-browser-let-in',
    harm: 'A page that a port-forward leads to a runner reads its journal.',
    changes: [
      {
        file: 'main/faces/serve/serve-contract.ts',
        from: "      if (isOfBrowser(request.headers)) return refuse('foreign-origin', 403)\n",
        to: '',
      },
    ],
    caughtBy: integration('program-socket', 'a page of any origin'),
  },
  {
    name: 'attach-asks-anything',
    harm: 'Who may open a port-forward starts runs without the API server listeners who asks.',
    changes: [
      { file: 'main/faces/serve/serve-contract.ts', from: 'PROGRAM_REQUESTS.has(name)\n', to: 'name.length > 0\n' },
    ],
    caughtBy: integration('program-socket', 'run.start is refused before its input is read'),
  },
  {
    name: 'calendar-any-secret',
    harm: 'A user who guesses the path reads when nodes are maintained.',
    changes: [
      {
        file: 'main/faces/serve/calendar-answer.ts',
        from: "if (!opensFeed(given, secret.value)) return { kind: 'refused' }",
        to: '',
      },
    ],
    caughtBy: integration(
      'calendar-feed',
      'nobody gets an answer before the feed exists, with a wrong or an older secret',
    ),
  },
]

function unit(name: 'sender' | 'door' | 'loopback', title: string): Catcher {
  return { kind: 'test', file: `test/unit/faces/serve/${name}.test.ts`, title }
}

function files(title: string): Catcher {
  return { kind: 'test', file: 'test/unit/api/page-files.test.ts', title }
}

function integration(name: 'attacks' | 'calendar-feed' | 'door' | 'program-socket', title: string): Catcher {
  return { kind: 'test', file: `test/integration/serve/${name}.test.ts`, title }
}
