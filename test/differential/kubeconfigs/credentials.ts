import type { KubeconfigSituation } from '../situations.ts'
import { one, TOKEN } from './config.ts'

const CERTIFICATE = 'client-certificate-data: {{client64}}\nclient-key-data: {{client-key64}}'
const FILES = { 'client.pem': '{{client}}', 'client.key': '{{client-key}}' }
const user = (lines: string) => ({ user: lines })
/** An id token whose end is far away: {"alg":"none"}, {"exp":4102444800}, and a signature that nobody looks at. */
const ID_TOKEN = 'eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmVk'
/** One that ended in 2001. */
const OLD_ID_TOKEN = 'eyJhbGciOiJub25lIn0.eyJleHAiOjk3ODMwNzIwMH0.c2lnbmVk'

const oidc = (lines: string) => user(`auth-provider:\n  name: oidc\n  config:\n${lines.replace(/^(?=.)/gm, '    ')}`)
const OIDC = 'client-id: console\nidp-issuer-url: https://{{https}}/oidc'

/** How the user proves who it is. */
export const CREDENTIALS: readonly KubeconfigSituation[] = [
  one('token', user('token: tok-1')),
  one('token that is empty', user('token: ""')),
  one('token that is null', user('token: null')),
  one('token that is a tilde', user('token: ~')),
  one('token that is a number', user('token: 12345')),
  one('token that is a number in quotes', user("token: '12345'")),
  one('token that is true', user('token: true')),
  one('token that looks like a time', user('token: 2026-01-01')),
  one('token with a line break at its end', user('token: |\n  tok-1')),
  one('token with a line break at its end, in quotes', user('token: "tok-1\\n"')),
  one('token with a line break within', user('token: "tok-1\\ntok-2"')),
  one('token with a carriage return at its end', user('token: "tok-1\\r"')),
  one('token with blanks around it', user('token: " tok-1 "')),
  one('token with a blank within', user('token: tok 1')),
  one('token with a tab within', user('token: "tok\\t1"')),
  one('token with a letter that is not ASCII', user('token: tök-1')),
  one('token with a sign of control', user('token: "tok\\x011"')),
  one('token that is folded', user('token: >-\n  tok-1')),
  one('token that is folded over two lines', user('token: >-\n  tok-1\n  tok-2')),
  one('token with the word Bearer', user('token: Bearer tok-1')),
  one('token in other letters', user('Token: tok-1')),
  one('token under an unknown name', user('bearer-token: tok-1')),
  one('token file', user('tokenFile: token'), { files: { token: 'tok-file' } }),
  one('token file with a line break at its end', user('tokenFile: token'), { files: { token: 'tok-file\n' } }),
  one('token file with CRLF', user('tokenFile: token'), { files: { token: 'tok-file\r\n' } }),
  one('token file with blanks around it', user('tokenFile: token'), { files: { token: '  tok-file  \n' } }),
  one('token file with two lines', user('tokenFile: token'), { files: { token: 'tok-1\ntok-2\n' } }),
  one('token file with a mark', user('tokenFile: token'), {
    files: { token: { text: 'tok-file', as: 'utf-8 with a mark' } },
  }),
  one('token file in UTF-16', user('tokenFile: token'), { files: { token: { text: 'tok-file', as: 'utf-16le' } } }),
  one('token file that is empty', user('tokenFile: token'), { files: { token: '' } }),
  one('token file that is a line break', user('tokenFile: token'), { files: { token: '\n' } }),
  one('token file that is not there', user('tokenFile: token')),
  one('token file that is a folder', user('tokenFile: secrets'), { files: { 'secrets/token': 'tok-file' } }),
  one('token file by its whole path', user('tokenFile: {{folder}}/token'), { files: { token: 'tok-file' } }),
  one('token file below', user('tokenFile: secrets/token'), { files: { 'secrets/token': 'tok-file' } }),
  one('token file with a tilde', user('tokenFile: ~/token'), { files: { 'home/token': 'tok-file' } }),
  one('token file in small letters', user('tokenfile: token'), { files: { token: 'tok-file' } }),
  one('token file as other tools write it', user('token-file: token'), { files: { token: 'tok-file' } }),
  one('token file beside a token', user('token: tok-1\ntokenFile: token'), { files: { token: 'tok-file' } }),
  one('token file that is empty beside a token', user('token: tok-1\ntokenFile: token'), { files: { token: '' } }),
  one('token file that is not there beside a token', user('token: tok-1\ntokenFile: token')),
  one('name and password', user('username: me\npassword: pass')),
  one('name alone', user('username: me')),
  one('password alone', user('password: pass')),
  one('name and password that are numbers', user('username: 1\npassword: 2')),
  one('name with a colon', user('username: a:b\npassword: c:d')),
  one('password that is not ASCII', user('username: me\npassword: pässword')),
  one('password that is empty', user('username: me\npassword: ""')),
  one('name and password beside a token', user(`${TOKEN}\nusername: me\npassword: pass`)),
  one('name and password beside a token file', user('tokenFile: token\nusername: me\npassword: pass'), {
    files: { token: 'tok-file' },
  }),
  one('name and password beside a certificate', user(`${CERTIFICATE}\nusername: me\npassword: pass`)),
  one('password with a line break', user('username: me\npassword: "pass\\n"')),
  one('certificate as data', user(CERTIFICATE)),
  one('certificate in files', user('client-certificate: client.pem\nclient-key: client.key'), { files: FILES }),
  one(
    'certificate as data and its key in a file',
    user('client-certificate-data: {{client64}}\nclient-key: client.key'),
    { files: FILES },
  ),
  one(
    'certificate in a file and its key as data',
    user('client-certificate: client.pem\nclient-key-data: {{client-key64}}'),
    { files: FILES },
  ),
  one('certificate and key in one file', user('client-certificate: both.pem\nclient-key: both.pem'), {
    files: { 'both.pem': '{{client}}{{client-key}}' },
  }),
  one('certificate with its key in its file alone', user('client-certificate: both.pem'), {
    files: { 'both.pem': '{{client}}{{client-key}}' },
  }),
  one('certificate without its key', user('client-certificate-data: {{client64}}')),
  one('certificate without its key beside a token', user(`${TOKEN}\nclient-certificate-data: {{client64}}`)),
  one('key without its certificate', user('client-key-data: {{client-key64}}')),
  one('key without its certificate beside a token', user(`${TOKEN}\nclient-key-data: {{client-key64}}`)),
  one(
    'certificate with the key of another',
    user('client-certificate-data: {{client64}}\nclient-key-data: {{another-key64}}'),
  ),
  one(
    'certificate and key exchanged',
    user('client-certificate-data: {{client-key64}}\nclient-key-data: {{client64}}'),
  ),
  one(
    'certificate with a key under a password',
    user('client-certificate-data: {{client64}}\nclient-key-data: {{encrypted-key64}}'),
  ),
  one('certificate in a file that is not there', user('client-certificate: gone.pem\nclient-key: client.key'), {
    files: FILES,
  }),
  one('certificate with a key that is not there', user('client-certificate: client.pem\nclient-key: gone.key'), {
    files: FILES,
  }),
  one('certificate in a file that is empty', user('client-certificate: client.pem\nclient-key: client.key'), {
    files: { ...FILES, 'client.pem': '' },
  }),
  one('invalid certificate', user('client-certificate-data: aGVsbG8=\nclient-key-data: aGVsbG8=')),
  one(
    'certificate as data that is not base64',
    user('client-certificate-data: "***"\nclient-key-data: {{client-key64}}'),
  ),
  one(
    'certificate as data that is empty beside files',
    user('client-certificate-data: ""\nclient-certificate: client.pem\nclient-key-data: ""\nclient-key: client.key'),
    { files: FILES },
  ),
  one(
    'certificate as data beside another in files',
    user(`${CERTIFICATE}\nclient-certificate: other.pem\nclient-key: other.key`),
    {
      files: { 'other.pem': '{{another}}', 'other.key': '{{another-key}}' },
    },
  ),
  one(
    'certificate as data beside files that are not there',
    user(`${CERTIFICATE}\nclient-certificate: gone.pem\nclient-key: gone.key`),
  ),
  one('certificate with its chain', user('client-certificate: chain.pem\nclient-key: client.key'), {
    files: { ...FILES, 'chain.pem': '{{client}}{{other}}' },
  }),
  one('certificate beside a token', user(`${TOKEN}\n${CERTIFICATE}`)),
  one('certificate in a file with a mark', user('client-certificate: client.pem\nclient-key: client.key'), {
    files: { ...FILES, 'client.pem': { text: '{{client}}', as: 'utf-8 with a mark' } },
  }),
  one('no credentials', user('{}')),
  one('no credentials, nothing after the name', user('')),
  one('placeholder credentials', user('token: REDACTED')),
  one('placeholder certificate', user('client-certificate-data: DATA+OMITTED\nclient-key-data: DATA+OMITTED')),
  one('provider oidc with an id token', oidc(`${OIDC}\nid-token: ${ID_TOKEN}`)),
  one('provider oidc with an id token that ended', oidc(`${OIDC}\nid-token: ${OLD_ID_TOKEN}`)),
  one('provider oidc without an id token', oidc(OIDC)),
  one('provider oidc without its issuer', oidc(`client-id: console\nid-token: ${ID_TOKEN}`)),
  one('provider oidc without its client', oidc(`idp-issuer-url: https://{{https}}/oidc\nid-token: ${ID_TOKEN}`)),
  one('provider oidc beside a token', { user: `${TOKEN}\n${oidc(`${OIDC}\nid-token: ${ID_TOKEN}`).user}` }),
  one('provider gcp', user('auth-provider:\n  name: gcp\n  config: {access-token: tok-1}')),
  one('provider azure', user('auth-provider:\n  name: azure\n  config: {apiserver-id: a}')),
  one('provider without a name', user('auth-provider:\n  config: {}')),
  one('provider that is null', user(`auth-provider: null\n${TOKEN}`)),
  one('provider beside a certificate', user(`${CERTIFICATE}\nauth-provider:\n  name: gcp`)),
]
