import type { CloudSituation } from '../situations.ts'
import { AUTH, bare, cloud, cloudsFile, file, files } from './cloud.ts'

const WITHOUT_PASSWORD = AUTH.replace('\n  password: invented', '')
const secure = (lines: string) => `clouds:\n  c:\n${lines.replace(/^(?=.)/gm, '    ')}\n`
const SECURE = secure('auth:\n  password: hidden')
const PUBLIC = (lines: string) => `public-clouds:\n  vendor:\n${lines.replace(/^(?=.)/gm, '    ')}\n`
const OWN_LOGIN = AUTH.replace('\n  auth_url: http://{{http}}/v3', '')

/** Files that belong together, search paths, profiles, the environment, and file formats. */
export const FILES: readonly CloudSituation[] = [
  bare('secure file beside', WITHOUT_PASSWORD, { files: { 'secure.yaml': SECURE } }),
  cloud('secure file over a password', '', { files: { 'secure.yaml': SECURE } }),
  bare('secure file with another cloud', AUTH, {
    files: { 'secure.yaml': 'clouds:\n  d:\n    auth: {password: hidden}\n' },
  }),
  bare('secure file that is empty', AUTH, { files: { 'secure.yaml': '' } }),
  bare('secure file with a comment alone', AUTH, { files: { 'secure.yaml': '# nothing yet\n' } }),
  bare('secure file with clouds that are null', AUTH, { files: { 'secure.yaml': 'clouds:\n' } }),
  bare('secure file with a cloud that is null', AUTH, { files: { 'secure.yaml': 'clouds:\n  c:\n' } }),
  bare('secure file with a password that is null', AUTH, {
    files: { 'secure.yaml': secure('auth:\n  password: null') },
  }),
  bare('secure file that is broken', AUTH, { files: { 'secure.yaml': 'clouds: [\n' } }),
  bare('secure file with an ending of four letters', WITHOUT_PASSWORD, { files: { 'secure.yml': SECURE } }),
  bare('secure file in JSON', WITHOUT_PASSWORD, {
    files: { 'secure.json': '{"clouds":{"c":{"auth":{"password":"hidden"}}}}' },
  }),
  bare('secure file at home', WITHOUT_PASSWORD, { files: { 'home/.config/openstack/secure.yaml': SECURE } }),
  files('secure file here, clouds at home', {
    'home/.config/openstack/clouds.yaml': cloudsFile(WITHOUT_PASSWORD),
    'secure.yaml': SECURE,
  }),
  bare('secure file that the environment names', WITHOUT_PASSWORD, {
    files: { 'hidden.yaml': SECURE },
    environment: { OS_CLIENT_SECURE_FILE: '{{folder}}/hidden.yaml' },
  }),
  bare('secure file with a region', WITHOUT_PASSWORD, {
    files: { 'secure.yaml': secure('region_name: RegionTwo\nauth:\n  password: hidden') },
  }),
  bare('secure file with a login at the top', WITHOUT_PASSWORD, {
    files: { 'secure.yaml': secure('password: hidden') },
  }),
  bare('secure file with a list over a list', `${WITHOUT_PASSWORD}\nregions: [RegionOne]`, {
    files: { 'secure.yaml': secure('regions: [RegionTwo]\nauth:\n  password: hidden') },
  }),
  files('secure file that adds a cloud', {
    'clouds.yaml': 'clouds:\n  d: {}\n',
    'secure.yaml': cloudsFile(AUTH),
  }),
  files('clouds at home', { 'home/.config/openstack/clouds.yaml': cloudsFile(AUTH) }),
  files(
    'clouds in the folder that XDG names',
    { 'conf/openstack/clouds.yaml': cloudsFile(AUTH) },
    { environment: { XDG_CONFIG_HOME: '{{folder}}/conf' } },
  ),
  files(
    'clouds at home although XDG names a folder',
    { 'home/.config/openstack/clouds.yaml': cloudsFile(AUTH) },
    { environment: { XDG_CONFIG_HOME: '{{folder}}/conf' } },
  ),
  files('clouds here before those at home', {
    'clouds.yaml': cloudsFile(AUTH),
    'home/.config/openstack/clouds.yaml': cloudsFile(AUTH.replace('admin', 'home')),
  }),
  files('clouds here with an ending of three letters', { 'clouds.yml': cloudsFile(AUTH) }),
  files('clouds here in JSON', {
    'clouds.json':
      '{"clouds":{"c":{"auth":{"auth_url":"http://{{http}}/v3","username":"admin","password":"invented","project_name":"ops","user_domain_id":"default","project_domain_id":"default"},"region_name":"RegionOne"}}}',
  }),
  files('clouds here that are empty before those at home', {
    'clouds.yaml': '',
    'home/.config/openstack/clouds.yaml': cloudsFile(AUTH),
  }),
  files(
    'clouds that the environment names',
    { 'clouds.yaml': cloudsFile(AUTH.replace('admin', 'here')), 'mine.yaml': cloudsFile(AUTH) },
    { environment: { OS_CLIENT_CONFIG_FILE: '{{folder}}/mine.yaml' } },
  ),
  files(
    'clouds that the environment names and that are not there',
    { 'clouds.yaml': cloudsFile(AUTH) },
    { environment: { OS_CLIENT_CONFIG_FILE: '{{folder}}/gone.yaml' } },
  ),
  files(
    'clouds that the environment names with a tilde',
    { 'home/mine.yaml': cloudsFile(AUTH), 'clouds.yaml': cloudsFile(AUTH.replace('admin', 'here')) },
    { environment: { OS_CLIENT_CONFIG_FILE: '~/mine.yaml' } },
  ),
  files('no clouds', {}),
  file('cloud that is not there', 'clouds:\n  d: {}\n'),
  file('cloud that is null', 'clouds:\n  c:\n'),
  file('cloud that is a text', 'clouds:\n  c: hello\n'),
  file('clouds that are null', 'clouds:\n'),
  file('clouds that are a list', 'clouds:\n- name: c\n'),
  file('clouds of the wrong name', cloudsFile(AUTH).replace('clouds:', 'cloud:')),
  file('cloud whose name is a number', cloudsFile(AUTH).replace('  c:', '  7:'), { cloud: '7' }),
  file('cloud whose name has blanks', cloudsFile(AUTH).replace('  c:', '  my cloud:'), { cloud: 'my cloud' }),
  file(
    'cloud twice',
    `${cloudsFile(AUTH)}  c:\n${`${AUTH.replace('admin', 'second')}\nregion_name: RegionOne`.replace(/^(?=.)/gm, '    ')}\n`,
  ),
  cloud('key twice', 'region_name: RegionOne\nregion_name: RegionTwo'),
  bare('profile', `profile: vendor\n${OWN_LOGIN}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://{{http}}/v3\nregion_name: RegionTwo') },
  }),
  bare('profile by its old name', `cloud: vendor\nregion_name: RegionOne\n${OWN_LOGIN}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://{{http}}/v3') },
  }),
  bare('profile with regions', `profile: vendor\n${OWN_LOGIN}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://{{http}}/v3\nregions: [RegionTwo, RegionOne]') },
  }),
  bare('profile with regions, and one of them', `profile: vendor\nregion_name: RegionOne\n${OWN_LOGIN}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://{{http}}/v3\nregions: [RegionTwo, RegionOne]') },
  }),
  bare('profile with regions, and a region outside them', `profile: vendor\nregion_name: RegionNine\n${OWN_LOGIN}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://{{http}}/v3\nregions: [RegionTwo, RegionOne]') },
  }),
  bare('profile with values of regions', `profile: vendor\n${OWN_LOGIN}`, {
    files: {
      'clouds-public.yaml': PUBLIC(
        'auth:\n  auth_url: http://{{http}}/v3\nregions:\n- name: RegionTwo\n  values:\n    interface: internal',
      ),
    },
  }),
  bare('profile that the cloud overrides', `profile: vendor\nregion_name: RegionOne\ninterface: admin\n${AUTH}`, {
    files: { 'clouds-public.yaml': PUBLIC('auth:\n  auth_url: http://127.0.0.1:1/v3\ninterface: internal') },
  }),
  bare('profile with settings of one service', `profile: vendor\nregion_name: RegionOne\n${OWN_LOGIN}`, {
    files: {
      'clouds-public.yaml': PUBLIC(
        'auth:\n  auth_url: http://{{http}}/v3\ncompute_endpoint_override: http://{{http}}/nova',
      ),
    },
  }),
  bare('profile in a file that is not there', `profile: vendor\n${AUTH}`),
  bare('profile that its file lacks', `profile: gone\n${AUTH}`, {
    files: { 'clouds-public.yaml': PUBLIC('region_name: RegionTwo') },
  }),
  bare('profile that nobody knows, beside an address', `profile: gone\nregion_name: RegionOne\n${AUTH}`),
  bare('profile that is null', `profile: null\nregion_name: RegionOne\n${AUTH}`),
  bare('profile that openstacksdk brings', `profile: vexxhost\n${AUTH}`),
  bare('profile that openstacksdk brings, its own address', `profile: vexxhost\n${OWN_LOGIN}`),
  bare('profile that is an address', `profile: https://127.0.0.1:1\n${AUTH}`),
  cloud('environment with a login beside', '', {
    environment: { OS_AUTH_URL: 'http://127.0.0.1:1/v3', OS_USERNAME: 'other', OS_PASSWORD: 'other' },
  }),
  cloud('environment with a region beside', '', { environment: { OS_REGION_NAME: 'RegionTwo' } }),
  cloud('environment with another cloud beside', '', { environment: { OS_CLOUD: 'd' } }),
  cloud('environment with an interface beside', '', { environment: { OS_INTERFACE: 'internal' } }),
  cloud('environment with an authority beside', '', { environment: { OS_CACERT: '/gone.pem' } }),
  cloud('environment that names its cloud as one of the file', '', { environment: { OS_CLOUD_NAME: 'c' } }),
  files(
    'environment alone',
    {},
    {
      cloud: 'envvars',
      environment: {
        OS_AUTH_URL: 'http://{{http}}/v3',
        OS_USERNAME: 'admin',
        OS_PASSWORD: 'invented',
        OS_PROJECT_NAME: 'ops',
        OS_USER_DOMAIN_NAME: 'Default',
        OS_PROJECT_DOMAIN_NAME: 'Default',
      },
    },
  ),
  file('UTF-8 with a mark', { text: cloudsFile(AUTH), as: 'utf-8 with a mark' }),
  file('UTF-16 little end first', { text: cloudsFile(AUTH), as: 'utf-16le' }),
  file('UTF-16 big end first', { text: cloudsFile(AUTH), as: 'utf-16be' }),
  file('UTF-16 without a mark', { text: cloudsFile(AUTH), as: 'utf-16le without a mark' }),
  file('Latin-1', { text: `# für den Betrieb\n${cloudsFile(AUTH)}`, as: 'latin1' }),
  file('CRLF', cloudsFile(AUTH).replaceAll('\n', '\r\n')),
  file('CR alone', cloudsFile(AUTH).replaceAll('\n', '\r')),
  file('tabs', cloudsFile(AUTH).replace('      username', '\tusername')),
  file('two documents', `${cloudsFile(AUTH)}---\n${cloudsFile(AUTH.replace('admin', 'second'))}`),
  file('three dashes at its beginning', `---\n${cloudsFile(AUTH)}`),
  file('nothing', ''),
  file('a comment alone', '# nothing\n'),
  file('a list', '- a\n'),
  file('a text', 'hello\n'),
  file(
    'an anchor',
    `x-login: &login\n  auth_url: http://{{http}}/v3\n  username: admin\n  password: invented\n  project_name: ops\n  user_domain_name: Default\n  project_domain_name: Default\nclouds:\n  c:\n    auth: *login\n    region_name: RegionOne\n`,
  ),
  file(
    'a merge key',
    `x-login: &login\n  auth_url: http://{{http}}/v3\n  username: admin\n  password: invented\n  user_domain_name: Default\n  project_domain_name: Default\nclouds:\n  c:\n    auth:\n      <<: *login\n      project_name: ops\n    region_name: RegionOne\n`,
  ),
  file(
    'a merge key of several',
    `x-a: &a {auth_url: "http://{{http}}/v3", username: admin}\nx-b: &b {username: other, password: invented, project_name: ops, user_domain_name: D, project_domain_name: D}\nclouds:\n  c:\n    auth:\n      <<: [*a, *b]\n    region_name: RegionOne\n`,
  ),
  file(
    'a merge key of a cloud',
    `clouds:\n  base: &base\n${AUTH.replace(/^(?=.)/gm, '    ')}\n    region_name: RegionOne\n  c:\n    <<: *base\n    region_name: RegionTwo\n`,
  ),
  file('a tag', cloudsFile(AUTH.replace('invented', '!!str 12345'))),
  file('an unknown tag', cloudsFile(AUTH.replace('invented', '!vault abc'))),
  file('a tag of Python', cloudsFile(AUTH.replace('invented', '!!python/object/apply:os.getcwd []'))),
  file('binary data', cloudsFile(AUTH.replace('invented', '!!binary aW52ZW50ZWQ='))),
  file('a mark within', cloudsFile(AUTH).replace('      username', '\ufeff      username')),
  file('NUL at its end', `${cloudsFile(AUTH)}\0`),
  file('a value that begins with an at sign', cloudsFile(AUTH.replace('invented', '@invented'))),
  file('a value that begins with a percent sign', cloudsFile(AUTH.replace('invented', '%invented'))),
  file('a value that begins with an ampersand', cloudsFile(AUTH.replace('invented', '"&invented"'))),
  file('a value with a colon', cloudsFile(AUTH.replace('invented', 'a: b'))),
  bare('address that is a template which was not filled in', AUTH.replace('http://{{http}}/v3', '{ {auth_url} }')),
  bare('a login in a text instead of a mapping', 'auth: my-login'),
  file('as a document leaves it, with three dots', 'clouds:\n  c:\n    ...\n'),
  file('a template that was not filled in', cloudsFile(AUTH.replace('invented', '{password}'))),
  file(
    'a setting in braces that names another',
    cloudsFile(`${AUTH}\nregion_name: RegionOne\ncacert: "{region_name}.pem"`),
    { files: { 'RegionOne.pem': '{{root}}' } },
  ),
]
