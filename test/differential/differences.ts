/** Situations that mean one thing to the other program and another to ours, by the reason. docs/real-clusters.md has the same reasons. */
type Differences = Readonly<Record<string, readonly string[]>>

export const FROM_KUBECTL: Differences = {
  'Where a user has no credentials, kubectl asks the person at the terminal for a name and a password. Lockkeeper asks the server as nobody.':
    [
      'token that is empty',
      'token that is null',
      'token that is a tilde',
      'token in other letters',
      'token under an unknown name',
      'token file in small letters',
      'token file as other tools write it',
      'password alone',
      'no credentials',
      'no credentials, nothing after the name',
      'as somebody without credentials',
      'user that is empty in the first file',
      'user that is null',
      'context in both files, with different parts in each',
      'context without a user',
      'context with a user that is empty',
      'as a template of a chart leaves it',
      'as a webhook of an API server has it',
    ],
  'An address has to begin with https:// or http://, and an IPv6 address is in brackets. kubectl takes an address without a scheme for plain http.':
    ['address without a scheme', 'address without a scheme, a name', 'address in IPv6 without brackets'],
  'The path of an address is used as it is written: kubectl shortens two slashes, decodes escapes, and makes a fragment part of the path.':
    ['address with two slashes in its path', 'address with a path that has an escape', 'address with a fragment'],
  'A name and password within an address are not used; kubectl sends them in the place of the token.': [
    'address with a name and a password',
  ],
  'Files may begin with a byte order mark and may be in UTF-16, those with certificates and tokens too.': [
    'authority in a file with a mark',
    'authority in a file in UTF-16',
    'token file with a mark',
    'certificate in a file with a mark',
  ],
  'A token with a blank or a letter outside of ASCII is refused here; kubectl leaves that to the server.': [
    'token with blanks around it',
    'token with a blank within',
    'token with a tab within',
    'token with a letter that is not ASCII',
    'token that is folded over two lines',
    'token with the word Bearer',
  ],
  'A duplicate key is refused with its line; kubectl takes the last one.': ['users that stand twice', 'token twice'],
  'A client key without its certificate is refused; kubectl passes over it where there is a token too.': [
    'key without its certificate beside a token',
  ],
  'A context without a name cannot be chosen.': [
    'name of a context that is empty',
    'as in a pod, with another token file',
  ],
  'Lines have to end in LF or CRLF.': ['CR alone'],
  'Extensions are not read.': ['extensions that stand twice'],
  "A proxy that is reached over https is checked against this machine's authorities, not the cluster's.": [
    'proxy of the kubeconfig over https',
    'HTTPS_PROXY over https',
  ],
  'Lockkeeper never runs as a CGI program, so REQUEST_METHOD changes nothing.': ['HTTP_PROXY in a CGI'],
  'Where NO_PROXY and no_proxy differ, the one in small letters counts, as for the openstack client.': [
    'NO_PROXY in both letters',
  ],
  'A certificate that cannot be read is refused before anything is asked; kubectl connects first.': [
    'certificate in a file that is empty',
  ],
}

export const FROM_OPENSTACKSDK: Differences = {
  'A user or project without a domain is in the domain `default`, as for the openstack client; openstacksdk names none, and Keystone refuses.':
    [
      'project without domains',
      'project with the domain of the user alone',
      'project with its own domain alone',
      'project that is a number',
      'project id that looks like an exponent',
      'project that is empty',
      'no project',
      'application credential by name without a domain',
    ],
  '`default_domain` counts, as for the openstack client; openstacksdk knows `default_domain_id` and `default_domain_name` alone.':
    ['default domain', 'default domain beside domains'],
  'A login that lacks its user or password is refused before anything is sent.': [
    'user without a password',
    'password without a user',
    'password that is empty',
    'password that is null',
    'secure file with a password that is null',
    'application credential by name without its user',
    'a template that was not filled in',
  ],
  'Values are the text that the file has: `0123` is not 83, `yes` is not true, `2.90` is not 2.9.': [
    'password that begins with zero',
    'password that is a long number',
    'password that is a time',
    'password that is yes',
    'microversion of compute that is a number',
    'cloud whose name is a number',
  ],
  'null means absent; openstacksdk sends the word None, or stops.': [
    'project that is null beside its name',
    'project that is a tilde beside its name',
    'domains that are null beside others',
    'region that is null',
    'regions with values that are null',
    'secure file with clouds that are null',
    'secure file with a cloud that is null',
    'type that is empty',
    'type that is null',
  ],
  'A login whose kind is clear needs no exact `auth_type`, and settings that its kind does not know are passed over.': [
    'type in capital letters',
    'type within the login',
    'application credential without its type',
    'application credential beside a password, without its type',
    'application credential in a type that is short',
    'token',
    'token of v3',
    'token without its type',
    'token by its old name',
    'token beside a password, without its type',
    'authority within the login',
    'insecure that is 1',
    'regions with a key too many',
  ],
  'An application credential is for its own project, whatever project is written beside it; Keystone refuses a login that names one.':
    ['application credential beside a project'],
  'A token without a project is used as it is, and Keystone is asked about it.': ['token without a project'],
  'One-time passwords are not supported: they cannot be renewed.': [
    'type v3totp',
    'type v3multifactor with its methods',
  ],
  'An address of Keystone with /v2.0 is taken for one with /v3, blanks around it are passed over, and one that already ends in /auth/tokens is not understood.':
    ['address of version 2', 'address with blanks around it', 'address that ends in tokens'],
  'Where a cloud has several regions, the file has to say which; openstacksdk takes the first of the catalogue.': [
    'region that is empty',
    'region by a name that other tools use',
    'region missing',
    'regions that are empty',
  ],
  'An interface that is not public, internal or admin is refused; openstacksdk finds no service by it.': [
    'interface in capital letters',
    'unknown interface',
  ],
  'Certificates are checked unless the file says plainly that they are not, with or without quotes; a word that is neither is refused.':
    [
      'verify that is false in quotes',
      'verify that is 0',
      'verify that is empty',
      'insecure that is yes in quotes',
      'insecure that is a word',
    ],
  'Paths belong to the folder of clouds.yaml, not to the one in which the program was started; a file that is not there is refused at once.':
    ['authority by a path from another folder', 'authority with a variable', 'authority that is not there'],
  'Loopback is never asked through a proxy, and ALL_PROXY is not read: one rule for every connection.': [
    'proxy around',
    'proxy around for all',
  ],
  'A profile has to be in clouds-public.yaml: those that openstacksdk brings along are not supported.': [
    'profile in a file that is not there',
    'profile that its file lacks',
    'profile that nobody knows, beside an address',
  ],
  'A cloud has to be in a clouds.yaml: variables such as OS_AUTH_URL and OS_CLOUD_NAME describe none, and secure.yaml adds none.':
    ['environment that names its cloud as one of the file', 'environment alone', 'secure file that adds a cloud'],
  'A secure.yaml belongs to the clouds.yaml beside it; only those in ~/.config/openstack and /etc/openstack count together.':
    ['secure file here, clouds at home', 'secure file at home'],
  'Files may be in UTF-16.': ['UTF-16 little end first', 'UTF-16 big end first'],
  'Lines have to end in LF or CRLF.': ['CR alone'],
  'No limit is set by `latest`: the newest microversion that both sides know is spoken anyway.': [
    'microversion of compute that is the latest',
  ],
  'The region that `region_name` names counts; where there is a list of regions, openstacksdk takes its first.': [
    'regions and a region of them',
    'regions and a region outside them',
  ],
  'A `system_scope` other than all is refused; openstacksdk logs in to nothing in particular.': [
    'system scope in another word',
    'system scope that is true',
  ],
}
