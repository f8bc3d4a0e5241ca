#!/usr/bin/env bash
# The .deb by those who judge such things: lintian, the desktop's and AppStream's validators, and the completion in zsh and fish themselves.
# A tool that is not on this machine is named and left out.
. "$(dirname "${BASH_SOURCE[0]}")/words.sh"
deb=$HOUSE/dist/lockkeeper_${VERSION}_amd64.deb
built "$deb" package:deb
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
dpkg-deb -x "$deb" "$place/root"
share=$place/root/usr/share
mkdir "$place/bin" "$place/home"
ln -s "$place/root/usr/lib/lockkeeper/bin/lockkeeper" "$place/bin/lockkeeper"
export PATH=$place/bin:$PATH HOME=$place/home
has() { # tool, package of Debian
  command -v "$1" >/dev/null && return 0
  echo "left out: $1 is missing (apt-get install $2)"
  return 1
}
if has lintian lintian; then
  said=$(timeout 300 lintian --fail-on error,warning "$deb" 2>/dev/null) || die "lintian: $said"
  ok "lintian finds no error and no warning"
fi
if has desktop-file-validate desktop-file-utils; then
  said=$(desktop-file-validate "$share"/applications/*.desktop 2>&1) && [ -z "$said" ] || die "desktop entry: $said"
  ok "the desktop entry is valid"
fi
! has appstreamcli appstream || holds "AppStream's data is valid" appstreamcli validate --no-net "$share"/metainfo/*.xml
if has man man-db; then
  said=$(man --warnings --local-file "$share/man/man1/lockkeeper.1.gz" 2>&1 >/dev/null) && [ -z "$said" ] || die "manual page: $said"
  ok "the manual page has no fault"
fi
if has fish fish; then
  learned="source $share/fish/vendor_completions.d/lockkeeper.fish; cd $place/root; complete -C"
  says "fish completes commands" "^resume" fish --no-config -c "$learned 'lockkeeper run re'"
  says "fish completes files where a file is meant" "^usr/" fish --no-config -c "$learned 'lockkeeper cluster add x --kubeconfig us'"
fi
if has zsh zsh; then
  cat > "$place/typed.zsh" <<'ZSH'
zmodload zsh/zpty
zpty shell zsh -f -i
heard() {
  local all piece
  repeat 100; do
    while zpty -rt shell piece; do all+=$piece; done
    [[ $all == *$1* ]] && print -r -- "$all" && return
    sleep 0.1
  done
  print -r -- "$all"
}
zpty -w shell "PS1='%% '; fpath=($SHARE/zsh/vendor-completions \$fpath); autoload -U compinit; compinit -u -D; unsetopt beep; echo ready-\$((1 + 1))"
heard ready-2 > /dev/null
zpty -w -n shell $'lockkeeper run re\t'
heard resume
zpty -w -n shell $'\x15'"lockkeeper cluster add x --kubeconfig $SHARE/met"$'\t'
heard metainfo
zpty -d shell
ZSH
  says "zsh completes commands" "run resume" env SHARE="$share" zsh -f "$place/typed.zsh"
  says "zsh completes files where a file is meant" "/metainfo" env SHARE="$share" zsh -f "$place/typed.zsh"
fi
echo "$PASSED passed, 0 failed"
