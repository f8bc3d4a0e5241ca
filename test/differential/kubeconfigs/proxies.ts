import type { KubeconfigSituation } from '../situations.ts'
import { CLUSTER, one } from './config.ts'

const NAME = 'server: https://api.example.test:{{https.port}}\ncertificate-authority-data: {{root64}}'
const ADDRESS = 'server: https://10.20.0.5:{{https.port}}\ncertificate-authority-data: {{root64}}'
const SIX = 'server: "https://[fd00:20::5]:{{https.port}}"\ncertificate-authority-data: {{root64}}'
const PROXY = 'http://{{proxy}}'
const own = (name: string, proxy: string, cluster = CLUSTER) =>
  one(name, { cluster: `${cluster}\nproxy-url: ${proxy}` })
const around = (name: string, environment: Readonly<Record<string, string>>, cluster = NAME) =>
  one(name, { cluster }, { environment })
const sparing = (name: string, rule: string, cluster = NAME) =>
  around(name, { HTTPS_PROXY: PROXY, NO_PROXY: rule }, cluster)

/** Ways to the API server that lead through a proxy, and past one. Nothing answers as api.example.test or 10.20.0.5 but in the collector's own network. */
export const PROXIES: readonly KubeconfigSituation[] = [
  own('proxy of the kubeconfig', PROXY),
  own('proxy of the kubeconfig to plain http', PROXY, 'server: http://{{http}}'),
  own('proxy of the kubeconfig with a name and password', 'http://me:pa%20ss@{{proxy}}'),
  own('proxy of the kubeconfig with a path', `${PROXY}/corp`),
  own('proxy of the kubeconfig over https', 'https://{{tls-proxy}}'),
  own('proxy of the kubeconfig by SOCKS', 'socks5://{{socks}}'),
  own('proxy of the kubeconfig by SOCKS with names', 'socks5h://{{socks}}'),
  own('proxy of the kubeconfig by SOCKS, to a name', 'socks5://{{socks}}', NAME),
  own('proxy of the kubeconfig by SOCKS with a name and password', 'socks5://me:pass@{{socks}}'),
  own('proxy of the kubeconfig by SOCKS 4', 'socks4://{{socks}}'),
  own('proxy of the kubeconfig without a kind of SOCKS', 'socks://{{socks}}'),
  own('proxy of the kubeconfig with an invalid address', '"not an address"'),
  own('proxy of the kubeconfig without a scheme', '{{proxy}}'),
  own('proxy of the kubeconfig with another scheme', 'ftp://{{proxy}}'),
  own('proxy of the kubeconfig that is empty', '""'),
  own('proxy of the kubeconfig that is null', 'null'),
  own('proxy of the kubeconfig without a port', 'http://localhost'),
  own('proxy of the kubeconfig where nothing is', 'http://127.0.0.1:1'),
  one(
    'proxy of the kubeconfig, and NO_PROXY',
    { cluster: `${CLUSTER}\nproxy-url: ${PROXY}` },
    { environment: { NO_PROXY: '127.0.0.1,localhost' } },
  ),
  one(
    'proxy of the kubeconfig, and another around',
    { cluster: `${CLUSTER}\nproxy-url: ${PROXY}` },
    { environment: { HTTPS_PROXY: 'http://127.0.0.1:1' } },
  ),
  around('HTTPS_PROXY', { HTTPS_PROXY: PROXY }),
  around('https_proxy in small letters', { https_proxy: PROXY }),
  around('HTTPS_PROXY in both letters', { HTTPS_PROXY: PROXY, https_proxy: 'http://127.0.0.1:1' }),
  around('HTTPS_PROXY that is empty in one of both letters', { HTTPS_PROXY: '', https_proxy: PROXY }),
  around('HTTPS_PROXY without a scheme', { HTTPS_PROXY: '{{proxy}}' }),
  around('HTTPS_PROXY with a name and password', { HTTPS_PROXY: 'http://me:pass@{{proxy}}' }),
  around('HTTPS_PROXY over https', { HTTPS_PROXY: 'https://{{tls-proxy}}' }),
  around('HTTPS_PROXY by SOCKS', { HTTPS_PROXY: 'socks5://{{socks}}' }),
  around('HTTPS_PROXY with an invalid address', { HTTPS_PROXY: 'http://[::1' }),
  around('HTTP_PROXY alone', { HTTP_PROXY: PROXY }),
  around('ALL_PROXY alone', { ALL_PROXY: PROXY }),
  around('HTTP_PROXY for plain http', { HTTP_PROXY: PROXY }, 'server: http://api.example.test:{{http.port}}'),
  around('HTTPS_PROXY for plain http', { HTTPS_PROXY: PROXY }, 'server: http://api.example.test:{{http.port}}'),
  around(
    'HTTP_PROXY in a CGI',
    { HTTP_PROXY: PROXY, REQUEST_METHOD: 'GET' },
    'server: http://api.example.test:{{http.port}}',
  ),
  around('HTTPS_PROXY for loopback', { HTTPS_PROXY: PROXY }, CLUSTER),
  around(
    'HTTPS_PROXY for localhost',
    { HTTPS_PROXY: PROXY },
    'server: https://localhost:{{https.port}}\ncertificate-authority-data: {{root64}}',
  ),
  around('HTTPS_PROXY for an address', { HTTPS_PROXY: PROXY }, ADDRESS),
  around('HTTPS_PROXY for an address in IPv6', { HTTPS_PROXY: PROXY }, SIX),
  sparing('NO_PROXY with the name', 'api.example.test'),
  sparing('NO_PROXY with the name in capital letters', 'API.EXAMPLE.TEST'),
  sparing('NO_PROXY with a domain', 'example.test'),
  sparing('NO_PROXY with a domain and a dot', '.example.test'),
  sparing('NO_PROXY with a domain and a star', '*.example.test'),
  sparing('NO_PROXY with a part of a name', 'ample.test'),
  sparing('NO_PROXY with the name and a dot', '.api.example.test'),
  sparing('NO_PROXY with a star', '*'),
  sparing('NO_PROXY with a star among others', 'other.test,*'),
  sparing('NO_PROXY with blanks', ' other.test , api.example.test '),
  sparing('NO_PROXY with blanks for commas', 'other.test api.example.test'),
  sparing('NO_PROXY with semicolons for commas', 'other.test;api.example.test'),
  sparing('NO_PROXY with the port', 'api.example.test:{{https.port}}'),
  sparing('NO_PROXY with another port', 'api.example.test:1'),
  sparing('NO_PROXY with a domain and the port', '.example.test:{{https.port}}'),
  sparing('NO_PROXY with a scheme', 'https://api.example.test'),
  sparing('NO_PROXY that is empty', ''),
  sparing('NO_PROXY with a dot at its end', 'api.example.test.'),
  sparing('NO_PROXY with a network', '10.20.0.0/16', ADDRESS),
  sparing('NO_PROXY with another network', '10.21.0.0/16', ADDRESS),
  sparing('NO_PROXY with a network that is not written at its beginning', '10.20.7.9/16', ADDRESS),
  sparing('NO_PROXY with a network of all', '0.0.0.0/0', ADDRESS),
  sparing('NO_PROXY with an invalid network', '10.20.0.0/40', ADDRESS),
  sparing('NO_PROXY with a network for a name', '127.0.0.0/8'),
  sparing('NO_PROXY with the address', '10.20.0.5', ADDRESS),
  sparing('NO_PROXY with the address and the port', '10.20.0.5:{{https.port}}', ADDRESS),
  sparing('NO_PROXY with the address and another port', '10.20.0.5:1', ADDRESS),
  sparing('NO_PROXY with the beginning of an address', '10.20.', ADDRESS),
  sparing('NO_PROXY with a star in an address', '10.20.*', ADDRESS),
  sparing('NO_PROXY with the end of an address', '.5', ADDRESS),
  sparing('NO_PROXY with the address in IPv6', 'fd00:20::5', SIX),
  sparing('NO_PROXY with the address in IPv6 and brackets', '[fd00:20::5]', SIX),
  sparing('NO_PROXY with the address in IPv6 written out', 'fd00:0020:0000:0000:0000:0000:0000:0005', SIX),
  sparing('NO_PROXY with a network in IPv6', 'fd00:20::/32', SIX),
  sparing('NO_PROXY with the address in IPv6 and the port', '[fd00:20::5]:{{https.port}}', SIX),
  around('NO_PROXY in both letters', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.example.test', no_proxy: 'other.test' }),
  around('NO_PROXY in small letters', { HTTPS_PROXY: PROXY, no_proxy: 'api.example.test' }),
  around('NO_PROXY that is empty beside one in small letters', {
    HTTPS_PROXY: PROXY,
    NO_PROXY: '',
    no_proxy: 'api.example.test',
  }),
]
