import type { Catcher, Mutant } from '../mutant.ts'

const REDACT = 'main/platform/log/redact.ts'
const LOGGER = 'main/platform/log/file-logger.ts'
const CREDENTIALS = 'main/adapters/kubernetes/credentials.ts'
const AUTHORISED = 'main/adapters/openstack/authorised-request.ts'
const PRIVATE = 'main/platform/files/private-file.ts'
const SECRET_FILES = 'main/clusters/secret-files.ts'

/** Where credentials go, and where they never turn up. */
export const SECRET_MUTANTS: readonly Mutant[] = [
  {
    name: 'log-fields-as-they-are',
    harm: 'The reader of a log for support gets the tokens in it.',
    changes: [{ file: LOGGER, from: 'fields: redactor.value(fields)', to: 'fields' }],
    caughtBy: log('file-logger', 'never holds a secret of the corpus'),
  },
  {
    name: 'log-message-as-it-is',
    harm: 'A password in a sentence is written into the log.',
    changes: [{ file: LOGGER, from: 'message: redactor.text(message)', to: 'message' }],
    caughtBy: log('file-logger', 'never holds a secret of the corpus'),
  },
  {
    name: 'log-read-by-others',
    harm: 'Every user of the machine reads the log.',
    changes: [
      { file: LOGGER, from: 'flags, 0o600)', to: 'flags, 0o644)' },
      { file: LOGGER, from: 'fchmodSync(descriptor, 0o600)', to: 'fchmodSync(descriptor, 0o644)' },
    ],
    caughtBy: log('file-logger', 'is readable by the operator only, also when it was there before'),
  },
  {
    name: 'log-follows-a-link',
    harm: 'A link in the place of the log has us write into a file of somebody’s choice.',
    changes: [
      { file: LOGGER, from: 'O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW', to: 'O_APPEND | O_CREAT | O_WRONLY' },
    ],
    caughtBy: log('file-logger', 'when its file is a link to somewhere else: it does not follow it'),
  },
  {
    name: 'redaction-knows-no-password',
    harm: 'A password that looks like any word is reported wherever a server repeats it.',
    changes: [
      {
        file: REDACT,
        from: 'let out = known(cut ? raw.slice(0, LONGEST_TEXT) : raw)',
        to: 'let out = cut ? raw.slice(0, LONGEST_TEXT) : raw',
      },
    ],
    caughtBy: log('redact', 'are removed as they are'),
  },
  {
    name: 'redaction-halved-by-the-cut',
    harm: 'The first half of a secret stays where a long text was cut.',
    changes: [{ file: REDACT, from: 'Math.max(0, out.length - Math.max(256, longestSecret))', to: 'out.length' }],
    caughtBy: log('redact', 'is cut when it is long, and a secret halved by the cut goes too'),
  },
  {
    name: 'redaction-by-no-name',
    harm: 'The value of a field named password is reported, because it looks like any word.',
    changes: [{ file: REDACT, from: 'const secret = isSecretName(key) &&', to: 'const secret = key === "" &&' }],
    caughtBy: log('redact', 'lose the secrets of'),
  },
  {
    name: 'redaction-of-errors-by-their-fields',
    harm: 'Errors of HTTP clients carry requests with private keys in separate fields, which are reported.',
    changes: [
      {
        file: REDACT,
        from: '    name: at.text(String(raw.name)),\n    message: at.text(String(raw.message)),',
        to: '    ...Object.fromEntries(Object.entries(raw).map(([key, item]) => [key, walk(item, at)])),\n    name: at.text(String(raw.name)),\n    message: at.text(String(raw.message)),',
      },
    ],
    caughtBy: log('redact', 'errors keep name, message, stack and cause, and nothing else'),
  },
  {
    name: 'kubernetes-failure-as-the-server-says',
    harm: 'A proxy that repeats the request puts the token on the screen and into the journal.',
    changes: [
      {
        file: 'main/adapters/kubernetes/errors.ts',
        from: 'return redactText(text).slice(0, 1000)',
        to: 'return text.slice(0, 1000)',
      },
    ],
    caughtBy: kubernetes('errors-hold-no-secret', 'an HTTP error whose Status echoes the token'),
  },
  {
    name: 'kubernetes-answer-with-what-we-sent',
    harm: 'A token without a shape, repeated by the server, is reported.',
    changes: [
      {
        file: 'main/adapters/kubernetes/session.ts',
        from: 'const parsed = status < 400 ? parsedBody(answer.value.body) : refusedBody(sender, answer.value.body)',
        to: 'const parsed = parsedBody(answer.value.body)',
      },
    ],
    caughtBy: kubernetes('known-secrets', 'a bearer token, wherever and however it is repeated'),
  },
  {
    name: 'openstack-failure-with-the-password',
    harm: 'A service that repeats the token or the password puts it on the screen and into the journal.',
    changes: [
      {
        file: AUTHORISED,
        from: 'failureOf(outcome, purpose, redactor.text, clock.now())',
        to: 'failureOf(outcome, purpose, text => text, clock.now())',
      },
    ],
    caughtBy: openstack(
      'requests',
      'a server that repeats the token and the password in its words does not get them into a failure',
    ),
  },
  {
    name: 'redirect-with-the-token',
    harm: 'A server that answers with a redirect gets the token of the cloud.',
    changes: [
      {
        file: 'main/adapters/http/exchange.ts',
        from: "sent.on('response', response => void read(response, sent).then(resolve, broken))",
        to: "sent.on('response', response => {\n      const to = response.headers.location\n      void (to === undefined ? read(response, sent) : sendOnce(agent, { ...request, url: new URL(to, url) }, clock, read)).then(resolve as never, broken)\n    })",
      },
    ],
    caughtBy: openstack('requests', 'a redirect is not followed: the token would go wherever it says'),
  },
  {
    name: 'token-to-a-foreign-host',
    harm: 'A changed catalogue has us send the token of an administrator to any host.',
    changes: [
      {
        file: AUTHORISED,
        from: 'if (foreign !== null && !state.isAgreed(foreign))',
        to: 'if (foreign === undefined)',
      },
    ],
    caughtBy: openstack('foreign-endpoints', 'not to another host, unless the operator agreed to exactly that one'),
  },
  {
    name: 'token-over-plain-http',
    harm: 'The token goes over the network in the open, though Keystone has https.',
    changes: [
      {
        file: 'main/adapters/openstack/catalogue.ts',
        from: 'to.hostname === from.hostname && !isWeaker',
        to: 'to.hostname === from.hostname',
      },
    ],
    caughtBy: openstack(
      'foreign-endpoints',
      'http://a.example:8774/v2.1, seen from https://a.example:5000/v3: foreign is true',
    ),
  },
  {
    name: 'signals-over-plain-http',
    harm: 'What is reported of the cloud, and the key of a webhook, are read on the way.',
    changes: [
      {
        file: 'main/wings/notify/signal-settings.ts',
        from: "!(url.protocol === 'http:' && isLoopback(url.hostname))",
        to: "!(url.protocol === 'http:')",
      },
    ],
    caughtBy: unit(
      'test/unit/wings/notify/signal-address.test.ts',
      'what is reported goes to http://hooks.example.org/: false',
    ),
  },
  {
    name: 'signals-loopback-by-its-beginning',
    harm: 'The console connects without encryption to a host of the network whose name begins like this machine.',
    changes: [{ file: 'main/wings/notify/signal-settings.ts', from: '|\\[::1\\])$/i', to: '|\\[::1\\])/i' }],
    caughtBy: unit(
      'test/unit/wings/notify/signal-address.test.ts',
      'what is reported goes to http://localhost.example.org/: false',
    ),
  },
  {
    name: 'signals-with-a-password-in-the-address',
    harm: 'A password is kept in an address, where it is shown.',
    changes: [
      {
        file: 'main/wings/notify/signal-settings.ts',
        from: "if (url.username !== '' || url.password !== '')",
        to: 'if (false)',
      },
    ],
    caughtBy: unit(
      'test/unit/wings/notify/signal-address.test.ts',
      'what is reported goes to https://eva:s3cr3t@hooks.example.org/: false',
    ),
  },
  {
    name: 'webhook-signed-by-nobody',
    harm: 'Anybody who knows the address of a receiver reports it that a node is out of service.',
    changes: [
      {
        file: 'main/wings/notify/webhooks/webhook-bodies.ts',
        from: "createHmac('sha256', key)",
        to: "createHmac('sha256', '')",
      },
    ],
    caughtBy: unit(
      'test/unit/wings/notify/webhooks/webhook-port.test.ts',
      'is signed so that its receiver can verify it',
    ),
  },
  {
    name: 'exec-plugin-without-consent',
    harm: 'A kubeconfig that somebody sent runs any program as the operator.',
    changes: [
      {
        file: CREDENTIALS,
        from: '      if (!consent(agreed.described)) return failed(notConsented(agreed, false))\n',
        to: '',
      },
    ],
    caughtBy: kubernetes('credentials', 'a command from a file is not run before it was agreed to'),
  },
  {
    name: 'exec-plugin-exchanged-in-a-session',
    harm: 'A program that was exchanged while the console runs is run with the cluster’s address.',
    changes: [
      {
        file: CREDENTIALS,
        from: 'now.described.fingerprint === agreed.described.fingerprint || consent(now.described)',
        to: 'now.described.fingerprint !== ""',
      },
    ],
    caughtBy: kubernetes('exec-program', 'a session whose program was exchanged does not run it, and says so'),
  },
  {
    name: 'exec-plugin-by-its-name-alone',
    harm: 'What was agreed to for one program lets another one of its name run.',
    changes: [
      {
        file: 'main/adapters/kubernetes/exec-program.ts',
        from: '.update(JSON.stringify([plugin.described.fingerprint, program]))',
        to: '.update(JSON.stringify([plugin.described.fingerprint]))',
      },
    ],
    caughtBy: kubernetes('exec-program', 'has another content'),
  },
  {
    name: 'impersonation-left-out',
    harm: 'The console acts with more rights than the kubeconfig gives it.',
    changes: [{ file: 'main/adapters/kubernetes/client-node.ts', from: '      ...actsIn,\n', to: '' }],
    caughtBy: kubernetes('credentials', 'who the kubeconfig says to act as goes along'),
  },
  {
    name: 'files-read-by-others',
    harm: 'Every user of the machine reads tokens and passwords.',
    changes: [
      { file: PRIVATE, from: "openSync(fresh, 'w', 0o600)", to: "openSync(fresh, 'w', 0o644)" },
      { file: PRIVATE, from: 'fchmodSync(descriptor, 0o600)', to: 'fchmodSync(descriptor, 0o644)' },
    ],
    caughtBy: unit('test/unit/clusters/secret-files.test.ts', 'the files of a cloud are its user’s alone'),
  },
  {
    name: 'folder-read-by-others',
    harm: 'Every user of the machine sees which clouds there are, and opens what a slip leaves readable.',
    changes: [{ file: SECRET_FILES, from: 'chmodSync(each, 0o700)', to: 'chmodSync(each, 0o755)' }],
    caughtBy: unit('test/unit/clusters/secret-files.test.ts', 'the files of a cloud are its user’s alone'),
  },
  {
    name: 'files-outside-their-folder',
    harm: 'The name of a cloud writes credentials anywhere.',
    changes: [
      {
        file: SECRET_FILES,
        from: '      if (!isName(cloud)) return failed(noName(cloud))\n      const names',
        to: '      const names',
      },
    ],
    caughtBy: unit('test/unit/clusters/secret-files.test.ts', 'a name that leads out of their folder does not count'),
  },
  {
    name: 'token-in-the-open-beside-a-keychain',
    harm: 'The desktop app keeps tokens where every program of the user reads them.',
    changes: [
      {
        file: 'main/clusters/token-files.ts',
        from: 'const kept = sealedText(text, box)',
        to: 'const kept = sealedText(text, null)',
      },
    ],
    caughtBy: unit(
      'test/unit/clusters/token-files.test.ts',
      'a face with a keychain keeps tokens sealed, and finds them again',
    ),
  },
  {
    name: 'secret-in-the-open-while-the-keychain-is-locked',
    harm: 'A locked keychain leaves secrets in the open.',
    changes: [
      {
        file: 'main/platform/files/secret-box.ts',
        from: 'return body === null ? null :',
        to: 'return body === null ? secret :',
      },
    ],
    caughtBy: unit(
      'test/unit/clusters/token-files.test.ts',
      'a keychain that does not work now keeps nothing, in particular nothing open',
    ),
  },
  {
    name: 'key-that-others-read-signs',
    harm: 'Reports and heads are signed by a key that anybody on the machine may have copied.',
    changes: [
      {
        file: 'main/platform/settings/installation-key.ts',
        from: 'if ((statSync(path).mode & 0o077) !== 0 &&',
        to: 'if (false &&',
      },
    ],
    caughtBy: unit('test/unit/platform/settings/installation-key.test.ts', 'that others can read signs nothing'),
  },
  {
    name: 'refused-input-comes-back',
    harm: 'A secret that was typed in the wrong place is shown and logged.',
    changes: [
      {
        file: 'main/api/serve.ts',
        from: "issue.code === 'unrecognized_keys' ? null : issue.message",
        to: 'issue.message',
      },
    ],
    caughtBy: unit(
      'test/unit/api/router.test.ts',
      'an input that does not fit reaches no handler, and what is in it does not come back',
    ),
  },
]

function unit(file: string, title: string): Catcher {
  return { kind: 'test', file, title }
}

function log(name: 'file-logger' | 'redact', title: string): Catcher {
  return unit(`test/unit/platform/log/${name}.test.ts`, title)
}

function kubernetes(name: string, title: string): Catcher {
  return unit(`test/unit/adapters/kubernetes/${name}.test.ts`, title)
}

function openstack(name: string, title: string): Catcher {
  return unit(`test/unit/adapters/openstack/${name}.test.ts`, title)
}
