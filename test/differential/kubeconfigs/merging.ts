import type { KubeconfigSituation } from '../situations.ts'
import { CLUSTER, config, one, raw, several, TOKEN } from './config.ts'

const CLUSTERS = (name: string, cluster = CLUSTER) =>
  `clusters:\n- name: ${name}\n  cluster:\n    ${cluster.replaceAll('\n', '\n    ')}\n`
const USERS = (name: string, user = TOKEN) =>
  `users:\n- name: ${name}\n  user:\n    ${user.replaceAll('\n', '\n    ')}\n`
const CONTEXTS = (name: string, cluster: string, user: string) =>
  `contexts:\n- name: ${name}\n  context: {cluster: ${cluster}, user: ${user}}\n`
const CURRENT = (name: string) => `current-context: ${name}\n`
const BOTH = { kubeconfig: ['a', 'b'] }

const twice = (kind: string, entry: string) =>
  `${kind === 'clusters' ? '' : CLUSTERS('c')}${kind === 'users' ? '' : USERS('u')}${kind === 'contexts' ? '' : CONTEXTS('x', 'c', 'u')}${kind}:\n${entry}${CURRENT('x')}`

const CLUSTER_ENTRY = (name: string, server: string) =>
  `- name: ${name}\n  cluster: {server: ${server}, certificate-authority-data: {{root64}}}\n`
const USER_ENTRY = (name: string, token: string) => `- name: ${name}\n  user: {token: ${token}}\n`
const CONTEXT_ENTRY = (name: string, user: string) => `- name: ${name}\n  context: {cluster: c, user: ${user}}\n`

/** Several files, names that stand twice, and names that lead nowhere. */
export const MERGING: readonly KubeconfigSituation[] = [
  several('home file without KUBECONFIG', { 'home/.kube/config': config() }, { kubeconfig: null }),
  several('no file without KUBECONFIG', {}, { kubeconfig: null }),
  several(
    'KUBECONFIG before the home file',
    { a: config({ user: 'token: tok-a' }), 'home/.kube/config': config({ user: 'token: tok-home' }) },
    { kubeconfig: ['a'] },
  ),
  several(
    'KUBECONFIG that names a file that is not there',
    { 'home/.kube/config': config() },
    { kubeconfig: ['gone'] },
  ),
  several('KUBECONFIG that names a folder', { 'conf/config': config() }, { kubeconfig: ['conf'] }),
  several('KUBECONFIG with an empty part', { a: config() }, { kubeconfig: ['', 'a', ''] }),
  several('KUBECONFIG that is empty', { 'home/.kube/config': config() }, { kubeconfig: [''] }),
  several('KUBECONFIG with a file twice', { a: config() }, { kubeconfig: ['a', 'a'] }),
  several('KUBECONFIG with a missing file first', { b: config() }, { kubeconfig: ['gone', 'b'] }),
  several('KUBECONFIG with an empty file first', { a: '', b: config() }, BOTH),
  several('KUBECONFIG with a broken file second', { a: config(), b: 'clusters: [\n' }, BOTH),
  several('KUBECONFIG with a folder second', { a: config(), 'b/x': '' }, BOTH),
  several(
    'KUBECONFIG with a tilde',
    { 'home/config': config() },
    { kubeconfig: null, environment: { KUBECONFIG: '~/config' } },
  ),
  several(
    'KUBECONFIG with a blank before a path',
    { a: config() },
    { kubeconfig: null, environment: { KUBECONFIG: ' {{folder}}/a' } },
  ),
  several(
    'KUBECONFIG with quotes',
    { a: config() },
    { kubeconfig: null, environment: { KUBECONFIG: '"{{folder}}/a"' } },
  ),
  several(
    'parts in three files',
    { a: CLUSTERS('c'), b: USERS('u'), c: CONTEXTS('x', 'c', 'u') + CURRENT('x') },
    { kubeconfig: ['a', 'b', 'c'] },
  ),
  several(
    'current context of the first file',
    { a: config({ current: 'x' }), b: config({ user: 'token: tok-b', current: 'other' }) },
    BOTH,
  ),
  several(
    'current context of the second file',
    { a: CLUSTERS('c') + USERS('u') + CONTEXTS('x', 'c', 'u'), b: CURRENT('x') },
    BOTH,
  ),
  several('current context that is empty in the first file', { a: config({ current: '""' }), b: CURRENT('x') }, BOTH),
  several(
    'cluster in both files',
    {
      a: CLUSTERS('c'),
      b: `${CLUSTERS('c', 'server: https://127.0.0.1:1')}${USERS('u')}${CONTEXTS('x', 'c', 'u')}${CURRENT('x')}`,
    },
    BOTH,
  ),
  several(
    'cluster in both files, with different parts in each',
    {
      a: CLUSTERS('c', 'server: https://{{https}}'),
      b: `${CLUSTERS('c', 'certificate-authority-data: {{root64}}')}${USERS('u')}${CONTEXTS('x', 'c', 'u')}${CURRENT('x')}`,
    },
    BOTH,
  ),
  several(
    'cluster that is empty in the first file',
    {
      a: 'clusters:\n- name: c\n  cluster: {}\n',
      b: config(),
    },
    BOTH,
  ),
  several('user in both files', { a: config({ user: 'token: tok-a' }), b: USERS('u', 'token: tok-b') }, BOTH),
  several(
    'user in both files, with different parts in each',
    { a: config({ user: 'token: tok-a' }), b: USERS('u', 'as: jane') },
    BOTH,
  ),
  several(
    'user that is empty in the first file',
    { a: 'users:\n- name: u\n  user: {}\n', b: config({ user: 'token: tok-b' }) },
    BOTH,
  ),
  several(
    'user with a certificate in one and a token in the other file',
    {
      a: config({ user: 'client-certificate-data: {{client64}}\nclient-key-data: {{client-key64}}' }),
      b: USERS('u', 'token: tok-b'),
    },
    BOTH,
  ),
  several(
    'context in both files',
    {
      a: CONTEXTS('x', 'c', 'one'),
      b: `${CLUSTERS('c')}${USERS('one', 'token: tok-one')}${CONTEXTS('x', 'c', 'two')}${CURRENT('x')}`,
    },
    BOTH,
  ),
  several(
    'context in both files, with different parts in each',
    {
      a: 'contexts:\n- name: x\n  context: {cluster: c}\n',
      b: `${CLUSTERS('c')}${USERS('u')}${CONTEXTS('x', 'c', 'u')}${CURRENT('x')}`,
    },
    BOTH,
  ),
  several(
    'relative paths of the file that they are in',
    {
      'one/a': CLUSTERS('c', 'server: https://{{https}}\ncertificate-authority: ca.pem') + CURRENT('x'),
      'one/ca.pem': '{{root}}',
      'two/b': USERS('u', 'tokenFile: token') + CONTEXTS('x', 'c', 'u'),
      'two/token': 'tok-two',
    },
    { kubeconfig: ['one/a', 'two/b'] },
  ),
  raw(
    'two clusters of one name',
    twice('clusters', CLUSTER_ENTRY('c', 'https://{{https}}') + CLUSTER_ENTRY('c', 'https://127.0.0.1:1')),
  ),
  raw('two clusters of one name, alike', twice('clusters', CLUSTER_ENTRY('c', 'https://{{https}}').repeat(2))),
  raw(
    'two clusters of one name that nobody uses',
    twice('clusters', CLUSTER_ENTRY('c', 'https://{{https}}') + CLUSTER_ENTRY('d', 'https://127.0.0.1:1').repeat(2)),
  ),
  raw('two users of one name', twice('users', USER_ENTRY('u', 'tok-1') + USER_ENTRY('u', 'tok-2'))),
  raw('two contexts of one name', twice('contexts', CONTEXT_ENTRY('x', 'u') + CONTEXT_ENTRY('x', 'w'))),
  raw('two names that differ by case', twice('users', USER_ENTRY('u', 'tok-1') + USER_ENTRY('U', 'tok-2'))),
  raw(
    'two clusters without a name',
    twice(
      'clusters',
      `${CLUSTER_ENTRY('c', 'https://{{https}}')}- cluster: {server: https://127.0.0.1:1}\n- cluster: {server: https://127.0.0.1:2}\n`,
    ),
  ),
  raw(
    'users that stand twice',
    `${CLUSTERS('c')}${USERS('u', 'token: tok-1')}${CONTEXTS('x', 'c', 'u')}${USERS('u', 'token: tok-2')}${CURRENT('x')}`,
  ),
  one('token twice', { user: 'token: tok-1\ntoken: tok-2' }),
  one('requested context', {}, { context: 'x' }),
  one('requested context that does not exist', {}, { context: 'y' }),
  one('requested context in other letters', {}, { context: 'X' }),
  one('current context that is not there', { current: 'gone' }),
  one('current context that is empty', { current: '""' }),
  one('current context that is null', { current: 'null' }),
  one('current context missing, one context', { current: '' }),
  one('current context missing, another asked for', { current: '' }, { context: 'x' }),
  one('current context that is not there, another asked for', { current: 'gone' }, { context: 'x' }),
  one('current context that is y', { current: 'y' }, { context: 'x' }),
  one('context with a cluster that is not there', { context: 'cluster: d\nuser: u' }),
  one('context with a user that is not there', { context: 'cluster: c\nuser: w' }),
  one('context without a cluster', { context: 'user: u' }),
  one('context without a user', { context: 'cluster: c' }),
  one('context with a user that is empty', { context: 'cluster: c\nuser: ""' }),
  one('context that is empty', { context: '{}' }),
  one('context with a namespace', { context: 'cluster: c\nuser: u\nnamespace: openstack' }),
  one('context with a namespace that is null', { context: 'cluster: c\nuser: u\nnamespace: null' }),
  one('context with a namespace that is a number', { context: 'cluster: c\nuser: u\nnamespace: 7' }),
  raw('name with a blank at its end', `${CLUSTERS('"c "')}${USERS('u')}${CONTEXTS('x', 'c', 'u')}${CURRENT('x')}`),
  raw('names that are numbers', `${CLUSTERS('1')}${USERS('2')}${CONTEXTS('3', '1', '2')}${CURRENT('3')}`),
  raw(
    'names that are numbers in quotes',
    `${CLUSTERS('"1"')}${USERS('"2"')}${CONTEXTS('"3"', '"1"', '"2"')}${CURRENT('"3"')}`,
  ),
  raw(
    'names with slashes and colons',
    `${CLUSTERS('arn:aws:eks:eu-1:1:cluster/c')}${USERS('me@c')}${CONTEXTS('me@c/ops', 'arn:aws:eks:eu-1:1:cluster/c', 'me@c')}${CURRENT('me@c/ops')}`,
  ),
  raw('names that are yes and no', `${CLUSTERS('yes')}${USERS('no')}${CONTEXTS('on', 'yes', 'no')}${CURRENT('on')}`),
  raw('name of a context that is empty', `${CLUSTERS('c')}${USERS('u')}${CONTEXTS('""', 'c', 'u')}${CURRENT('""')}`),
]
