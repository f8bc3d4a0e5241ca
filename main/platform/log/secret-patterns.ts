/** Replaces a secret in a log or message. */
export const REDACTED = '[redacted]'

/** The shape of a secret in text, and its replacement. */
interface SecretPattern {
  readonly shape: RegExp
  readonly instead: string | ((...groups: string[]) => string)
}

/** Endings of names with secret values, without dashes, underscores and case. Only endings: `secretName` and `tokenExpiresAt` are harmless, `OS_PASSWORD`, `client-key-data` and `adminPass` are not. */
const SECRET_ENDINGS = [
  'password',
  'passwd',
  'adminpass',
  'passphrase',
  'secret',
  'token',
  'keydata',
  'certificatedata',
  'authoritydata',
  'privatekey',
  'secretkey',
  'accesskey',
  'apikey',
  'authorization',
  'cookie',
]

/** Whether the value of this name must never be shown, such as `X-Auth-Token` or `client-key-data`. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_ENDINGS.some(ending => plain.endsWith(ending))
}

/** The same endings as in {@link SECRET_ENDINGS}, as spelled in text. A prefix of a name matches only after something fixed: a free prefix makes matching quadratic in long base64. */
const NAME =
  '(?:pass[-_]?word|passwd|admin[-_]?pass|pass[-_]?phrase|secret|token|key[-_]data|certificate[-_]data|authority[-_]data|private[-_]?key|secret[-_]?key|access[-_]?key|api[-_]?key|authorization|cookie)'

/** In this order: whole blocks, then values that are recognisable alone, then values with a telling name. Quotes may be escaped any number of times, because JSON often contains JSON. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  // PEM, even without its END line, and with newlines written as \n.
  { shape: /-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, instead: '[redacted PEM]' },
  // Base64 of "-----BEGIN ": client-key-data and others, even wrapped over lines.
  {
    shape: /LS0tLS1[A-Za-z0-9+/=_-]*(?:(?:\s|\\n)+[A-Za-z0-9+/_-]{40,}={0,2})*/g,
    instead: '[redacted PEM]',
  },
  // Bytes as printed by util.inspect and JSON.
  { shape: /<Buffer(?: [0-9a-f]{2})+[^>]*>/g, instead: '<Buffer [redacted]>' },
  {
    shape: /(\\*"type\\*"\s*:\s*\\*"Buffer\\*"\s*,\s*\\*"data\\*"\s*:\s*)\[[\d,\s]*\]?/g,
    instead: (_all, lead) => `${lead}"${REDACTED}"`,
  },
  // User and password inside a URL; greedy, because a raw @ may be part of the password.
  { shape: /\b([A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/)[^\s/?#"'<>]+@/g, instead: (_all, scheme) => `${scheme}${REDACTED}@` },
  // JSON Web Tokens (service accounts, OIDC).
  { shape: /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g, instead: REDACTED },
  // Keystone's fernet tokens: version byte and the first bytes of a 64-bit time.
  { shape: /gAAAAA[A-Za-z0-9_-]{10,}(?:=|%3D)*/g, instead: REDACTED },
  // OpenShift, EKS and Ceph keys.
  { shape: /\bsha256~[A-Za-z0-9_-]{20,}/g, instead: REDACTED },
  { shape: /\bk8s-aws-v1\.[A-Za-z0-9_-]+/g, instead: REDACTED },
  { shape: /\bAQ[A-Za-z0-9+/]{36,}={1,2}/g, instead: REDACTED },
  // "Bearer x" anywhere; the look-ahead leaves prose such as "Basic authentication" alone.
  {
    shape:
      /\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate)(?:\s+|%20)(?=\S{20}|\S*[0-9A-Z=+/~_-])[A-Za-z0-9._~+/=-]{4,}/g,
    instead: (_all, scheme) => `${scheme} ${REDACTED}`,
  },
  // { "name": "OS_PASSWORD", "value": "abc" }: environment variables of exec plugins and pods.
  {
    shape: new RegExp(
      `(\\\\*["']?name\\\\*["']?\\s*:\\s*\\\\*["']?[\\w.-]{0,80}${NAME}\\\\*["']?\\s*,?\\s*\\\\*["']?value\\\\*["']?\\s*:\\s*)(?:(\\\\*["'])(?:\\\\.|(?!\\2)[\\s\\S])*?(?:\\2|$)|[^\\s,}]+)`,
      'gi',
    ),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // Header lists as Node keeps them: ['X-Auth-Token', 'abc'].
  {
    shape: new RegExp(`(${NAME}\\\\*["']\\s*,\\s*)(\\\\*["'])(?:\\\\.|(?!\\2)[\\s\\S])*?(?:\\2(?!\\s*:)|$)`, 'gi'),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // "password": "abc" in JSON, Python and JavaScript notation.
  {
    shape: new RegExp(`(${NAME}\\\\*["']?\\s*[:=]\\s*)(\\\\*["'])(?:\\\\.|(?!\\2)[\\s\\S])*?(?:\\2|$)`, 'gi'),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // A YAML block: password: | and the deeper lines below it.
  {
    shape: new RegExp(`(${NAME}[ \\t]*:[ \\t]*)[|>][+-]?\\d*[ \\t]*(?:\\r?\\n[ \\t]+\\S.*)+`, 'gi'),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // Cookies are lists: redacts the rest of the line.
  {
    shape: /((?:set-)?cookie\s*:)(?!\s*\[redacted)[^\r\n"']+/gi,
    instead: (_all, lead) => `${lead} ${REDACTED}`,
  },
  // A line of YAML, an env file or a header dump: redacts to the end of the line.
  {
    shape: new RegExp(
      `^([ \\t]*(?:-[ \\t]+|export[ \\t]+|[<>*][ \\t]+)?[\\w.-]*${NAME}[ \\t]*(?::[ \\t]+|=))(?!\\[redacted)\\S.*$`,
      'gim',
    ),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // Authorization: scheme and credentials, in the middle of a line.
  {
    shape:
      /((?:proxy-)?authorization\s*[:=]\s*)(?!\[redacted|(?:Bearer|Basic|Negotiate) \[redacted)[A-Za-z]+ [^\s,;"']+/gi,
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // --os-password abc, --client-secret=abc.
  {
    shape: new RegExp(`(-{1,2}[\\w-]{0,40}${NAME}[= ]\\s*)(?!\\[redacted|-)[^\\s"']+`, 'gi'),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
  // password=abc, token: abc in the middle of a line or a query string.
  {
    shape: new RegExp(
      `((?:${NAME}|\\b(?:sig|signature|x-amz-signature|temp_url_sig))(?:\\s*=\\s*|:\\s*|%3D))(?!\\[redacted|(?:Bearer|Basic|Negotiate) \\[redacted)[^\\s,;&"'}\\])]+`,
      'gi',
    ),
    instead: (_all, lead) => `${lead}${REDACTED}`,
  },
]
