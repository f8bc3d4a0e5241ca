#!/usr/bin/env bash
# Makes the certificates of this folder; valid for a hundred years, worth nothing anywhere else. The keys of the authorities are thrown away.
set -euo pipefail
cd "$(dirname "$0")"
new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
# authority NAME SUBJECT [SIGNER]
authority() {
  new_key "$1.ca-key"
  openssl req -new -key "$1.ca-key" -subj "$2" -out "$1.csr"
  printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash\n' > "$1.ext"
  if [ $# -gt 2 ]; then
    openssl x509 -req -in "$1.csr" -CA "$3.cert.pem" -CAkey "$3.ca-key" -days 36500 -extfile "$1.ext" -out "$1.cert.pem"
  else
    openssl x509 -req -in "$1.csr" -signkey "$1.ca-key" -days 36500 -extfile "$1.ext" -out "$1.cert.pem"
  fi
}
# leaf NAME SUBJECT SIGNER EXTENSIONS [DATES...]
leaf() {
  new_key "$1.key.pem"
  openssl req -new -key "$1.key.pem" -subj "$2" -out "$1.csr"
  printf '%b' "$4" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$3.cert.pem" -CAkey "$3.ca-key" "${@:5}" -extfile "$1.ext" -out "$1.cert.pem"
}
HERE='subjectAltName=DNS:localhost,DNS:api.example.test,DNS:*.cloud.example.test,IP:127.0.0.1,IP:::1,IP:10.20.0.5,IP:fd00:20::5\nextendedKeyUsage=serverAuth\n'
authority root /CN=root
authority other /CN=other
authority intermediate /CN=intermediate root
authority clients /CN=clients
leaf server /CN=server intermediate "$HERE" -days 36500
leaf named /CN=named intermediate 'subjectAltName=DNS:kubernetes.example.test\nextendedKeyUsage=serverAuth\n' -days 36500
leaf client /O=masters/CN=operator clients 'extendedKeyUsage=clientAuth\n' -days 36500
leaf another /CN=another clients 'extendedKeyUsage=clientAuth\n' -days 36500
new_key self.key.pem
openssl req -x509 -key self.key.pem -subj /CN=self -days 36500 -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -addext 'basicConstraints=critical,CA:FALSE' -out self.cert.pem
openssl pkcs8 -topk8 -in client.key.pem -passout pass:invented -out client-encrypted.key.pem
rm -f ./*.ca-key ./*.csr ./*.ext ./*.srl
