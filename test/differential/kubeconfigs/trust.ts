import type { KubeconfigSituation } from '../situations.ts'
import { config, one, SERVER, several, TOKEN } from './config.ts'

const trusting = (lines: string, server = SERVER) => ({ cluster: `${server}\n${lines}` })
const ROOT = { 'ca.pem': '{{root}}' }

/** Which server is trusted. */
export const TRUST: readonly KubeconfigSituation[] = [
  one('authority in a file beside the kubeconfig', trusting('certificate-authority: ca.pem'), { files: ROOT }),
  one('authority in a file with ./', trusting('certificate-authority: ./ca.pem'), { files: ROOT }),
  several(
    'authority in a file above',
    { 'conf/config': config(trusting('certificate-authority: ../pki/ca.pem')), 'pki/ca.pem': '{{root}}' },
    { kubeconfig: ['conf/config'] },
  ),
  one('authority by its whole path', trusting('certificate-authority: {{folder}}/ca.pem'), { files: ROOT }),
  one('authority with a tilde', trusting('certificate-authority: ~/ca.pem'), { files: { 'home/ca.pem': '{{root}}' } }),
  one('authority with a variable', trusting('certificate-authority: $HOME/ca.pem'), {
    files: { 'home/ca.pem': '{{root}}' },
  }),
  one('authority in a file that is not there', trusting('certificate-authority: ca.pem')),
  one('authority in a file that is empty', trusting('certificate-authority: ca.pem'), { files: { 'ca.pem': '' } }),
  one('authority in an invalid file', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': 'hello\n' },
  }),
  one('authority with a broken key', trusting('certificate-authority-data: {{root-broken-key64}}')),
  one('authority that is a folder', trusting('certificate-authority: pki'), { files: { 'pki/ca.pem': '{{root}}' } }),
  one('authority in a file with CRLF', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': '{{root-crlf}}' },
  }),
  one('authority in a file with a mark', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': { text: '{{root}}', as: 'utf-8 with a mark' } },
  }),
  one('authority in a file in UTF-16', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': { text: '{{root}}', as: 'utf-16le' } },
  }),
  one('authority among others in a file', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': '# company\n{{other}}\n# cloud\n{{root}}' },
  }),
  one('authority after other words', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': 'Issuer: root\nSubject: root\n{{root}}' },
  }),
  one('authority beside a broken one', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': '{{root}}\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' },
  }),
  one('authority before its private key', trusting('certificate-authority: ca.pem'), {
    files: { 'ca.pem': '{{client-key}}\n{{root}}' },
  }),
  one(
    'authority as data and in a file that is not there',
    trusting('certificate-authority: gone.pem\ncertificate-authority-data: {{root64}}'),
  ),
  one(
    'authority as data beside another in a file',
    trusting('certificate-authority: ca.pem\ncertificate-authority-data: {{root64}}'),
    {
      files: { 'ca.pem': '{{other}}' },
    },
  ),
  one(
    'another authority as data beside the right one in a file',
    trusting('certificate-authority: ca.pem\ncertificate-authority-data: {{other64}}'),
    {
      files: ROOT,
    },
  ),
  one('authority as data over several lines', trusting('certificate-authority-data: >-\n  {{root64-lines}}')),
  one('authority as data in a block', trusting('certificate-authority-data: |\n  {{root64-lines}}')),
  one('authority as data without its padding', trusting('certificate-authority-data: {{root64-bare}}')),
  one('authority as data in the alphabet of addresses', trusting('certificate-authority-data: {{root64-url}}')),
  one('authority as data with blanks within', trusting('certificate-authority-data: "{{root64-blanks}}"')),
  one('authority as data that is not base64', trusting('certificate-authority-data: "%%%"')),
  one('authority as data that is PEM', trusting('certificate-authority-data: |\n  {{root-indented}}')),
  one('authority as data that is base64 of base64', trusting('certificate-authority-data: {{root6464}}')),
  one('authority as data that is DER', trusting('certificate-authority-data: {{root-der64}}')),
  one('authority as data that is empty', trusting('certificate-authority-data: ""')),
  one('authority as data that is null', trusting('certificate-authority-data: null')),
  one('authority as data that is binary for YAML', trusting('certificate-authority-data: !!binary {{root64}}')),
  one('authority as data that is a number', trusting('certificate-authority-data: 1234')),
  one('authority as data that is a list', trusting('certificate-authority-data: [a, b]')),
  one('authority as placeholder data', trusting('certificate-authority-data: DATA+OMITTED')),
  one('authority that signed nothing here', trusting('certificate-authority-data: {{other64}}')),
  one('authority that is the intermediate', trusting('certificate-authority-data: {{intermediate64}}')),
  one(
    'authority that is the intermediate, of a server without its chain',
    trusting('certificate-authority-data: {{intermediate64}}', 'server: https://{{chainless}}'),
  ),
  one(
    'authority that is the root, of a server without its chain',
    trusting('certificate-authority-data: {{root64}}', 'server: https://{{chainless}}'),
  ),
  one("authority that is the server's own certificate", trusting('certificate-authority-data: {{server64}}')),
  one(
    'authority that is a certificate that signed itself',
    trusting('certificate-authority-data: {{self64}}', 'server: https://{{self-signed}}'),
  ),
  one('authority that is missing', trusting('')),
  one('authority of a server that signed itself is missing', trusting('', 'server: https://{{self-signed}}')),
  one('insecure', trusting('insecure-skip-tls-verify: true')),
  one(
    'insecure to a server that signed itself',
    trusting('insecure-skip-tls-verify: true', 'server: https://{{self-signed}}'),
  ),
  one('insecure that is false', trusting('insecure-skip-tls-verify: false\ncertificate-authority-data: {{root64}}')),
  one('insecure in quotes', trusting('insecure-skip-tls-verify: "true"')),
  one('insecure as yes', trusting('insecure-skip-tls-verify: yes')),
  one('insecure as on', trusting('insecure-skip-tls-verify: on')),
  one('insecure as y', trusting('insecure-skip-tls-verify: y')),
  one('insecure as 1', trusting('insecure-skip-tls-verify: 1')),
  one('insecure as True', trusting('insecure-skip-tls-verify: True')),
  one('insecure that is null', trusting('insecure-skip-tls-verify: null\ncertificate-authority-data: {{root64}}')),
  one('insecure in other letters', trusting('Insecure-Skip-Tls-Verify: true')),
  one(
    'insecure beside an authority as data',
    trusting('insecure-skip-tls-verify: true\ncertificate-authority-data: {{root64}}'),
  ),
  one(
    'insecure beside an authority in a file',
    trusting('insecure-skip-tls-verify: true\ncertificate-authority: ca.pem'),
    { files: ROOT },
  ),
  one(
    'insecure beside an authority in a file that is not there',
    trusting('insecure-skip-tls-verify: true\ncertificate-authority: ca.pem'),
  ),
  one('authority in other letters', trusting('certificate-Authority-Data: {{root64}}')),
  one('authority as the user has it', { cluster: SERVER, user: `${TOKEN}\ncertificate-authority-data: {{root64}}` }),
]
