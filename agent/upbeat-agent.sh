#!/bin/sh
# The agent of Upbeat: tells, once a minute, what this machine says of itself (--show prints it). It executes nothing
# that it is told, opens no port and does not update itself. `sh install` installs it, as root in /etc/upbeat, else in
# ~/.upbeat-agent; `sh install --uninstall` removes it, as the installed agent.sh does. It tells of containers
# (`sh install --containers`) and of units of systemd (`--units`) only where it is installed with these.
set -u
version=1.1.0 units=/etc/systemd/system/upbeat-agent rc=/etc/init.d/upbeat-agent
address='https://upbeat.example.com/server/TOKEN' dir='' containers='' patterns=''
told=/run/upbeat-agent.containers
export PATH="$PATH:/usr/local/bin:/usr/sbin:/sbin:/opt/homebrew/bin" LC_ALL=C

has() { command -v "$1" >/dev/null 2>&1; }
root() { [ "$(id -u)" = 0 ]; }
table() { if root; then crontab -u nobody "$@"; else crontab "$@"; fi; }
fail() { echo "upbeat-agent: $1" >&2 && return 1; }
show() { printf '@%s\n' "$1" && shift && "$@" 2>/dev/null; }
soon() { # Ends what hangs.
  if has timeout; then timeout -s KILL 9 "$@"; return; fi
  "$@" & asked=$!
  { sleep 9; kill -9 $asked; } >/dev/null 2>&1 &
  wait $asked; set -- $?; kill $! 2>/dev/null; return "$1"
}
modern() { [ -d /run/systemd/system ] && systemctl --version | { read -r _ is _ && [ "${is%%[!0-9]*}" -ge 247 ]; }; }
cron() { [ ! -e /proc/1 ] || grep -qsE '^crond?$' /proc/[0-9]*/comm; }
machine() { # A hash, since the id itself is not for others to know.
  { grep . /etc/machine-id || sysctl -n kern.hostuuid || ioreg -rd1 -c IOPlatformExpertDevice || uname -n; } |
    { sha256sum || shasum -a 256 || sha256 -q; } | cut -d ' ' -f 1
}
file_systems() { # Of local disks, each once: to ask for those of a network or of FUSE may hang.
  set -- && seen=' '
  while [ $# -lt 64 ] && read -r device at type _; do
    case $type:$at in ext?:* | [xj]fs:* | [bz]*fs:* | *fat:* | ntfs3:* | f2fs:* | overlay:/) ;; *) continue ;; esac
    case $seen in *" $device "*) continue ;; *) seen="$seen$device " ;; esac
    printf '%s %s %s\n' "$device" "$at" "$type"
    case $at in *\\*) at=$(printf %s "$at" | sed 's/\\/\\0/g') && at=$(printf %b "$at") ;; esac; set -- "$@" "$at"
  done </proc/mounts
  [ $# -eq 0 ] || { show df soon df -kP "$@" && show inodes soon df -iP "$@"; }
}
ticks() { # Processor time of each process since the call before, its memory and its name: never its arguments.
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    pid=${stat#/proc/} name=${line#*\(} && pid=${pid%/stat} name=${name%)*}
    # shellcheck disable=SC2086
    set -- ${line##*) }; [ $# -ge 22 ] || continue
    [ -z "$again" ] || eval "printf '%s %s %s\n' \$((${12} + ${13} - \${t$pid:-0})) ${22} \"\$name\""
    eval "t$pid=$((${12} + ${13}))"
  done
}
top() { # Within two seconds, those that use the most processor time, and those with the most memory.
  read -r from _ </proc/uptime && again='' && ticks && sleep 2 && read -r to _ </proc/uptime && again=1
  printf 'took %s %s %s\n' "$from" "$to" "$(getconf PAGESIZE || echo 4096)"
  list=$(ticks) && printf '%s\n' "$list" | sort -rn | head -n 5 && printf '%s\n' "$list" | sort -k 2,2rn | head -n 5
}
linux() {
  [ ! -e "$state/top" ] || show top top
  for file in boot:sys/kernel/random/boot_id uptime:uptime loadavg:loadavg pressure_cpu:pressure/cpu \
    pressure_memory:pressure/memory pressure_io:pressure/io; do show "${file%%:*}" cat "/proc/${file#*:}"; done
  show stat grep '^cpu ' /proc/stat && show cpus grep -c '^cpu[0-9]' /proc/stat
  show diskstats grep -m 200 -vE ' (loop|ram|zram|dm-|md|sr|zd|nbd)[0-9]' /proc/diskstats
  show net grep -m 100 -vE '^ *(lo|veth|docker|br-|ifb|cali|cni|tap|vnet|fw)' /proc/net/dev
  show bonds cat /sys/class/net/*/bonding/slaves
  show meminfo grep -E '^(Mem|Swap|Buffers|Cached|Shmem:)' /proc/meminfo
  grep -q '^lxcfs /proc/meminfo ' /proc/mounts || show arc grep -E '^(size|c_min) ' /proc/spl/kstat/zfs/arcstats
  show limits grep -E '^[0-9]+$|inactive_file ' /sys/fs/cgroup/memory.[cms]* /sys/fs/cgroup/memory/memory.[lsu]*
  show temperature cat /sys/class/thermal/thermal_zone*/temp /sys/class/hwmon/hwmon*/temp*_input
  [ ! -e /proc/1 ] || { set -- /proc/[0-9]* && printf '@processes\n%s\n' $#; }
  failed=$([ -d /run/systemd/system ] && soon systemctl list-units --failed --plain --no-legend 2>/dev/null) &&
    printf '%s\n' "$failed" | show failed cut -d ' ' -f 1 | head -n 50
  show mounts file_systems
}
reason() { # By status and output: why a list is not the whole one. What is absent from such a list counts as unknown.
  if [ "$1" -ge 124 ] || [ -z "$2" ]; then set -- 0 "$3 did not answer"; fi
  printf '! %s\n' "$(printf '%s' "$2" | tr -cs ' -~' ' ' | cut -c 1-200)"
}
list_containers() { # State, health, restarts, exit code, name and image of up to 100; one more shows that there are.
  has "$containers" || { echo "! $containers is not installed"; return; }
  all=$(soon "$containers" ps -aq --no-trunc 2>&1) || { reason $? "$all" "$containers ps"; return; }
  ids=$(printf '%s\n' "$all" | grep -xE '[0-9a-f]{64}' | head -n 101) && [ -n "$ids" ] || return 0
  format='{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}} {{.RestartCount}} {{.State.ExitCode}}'
  shape='^[a-z]+ [a-z-]* -?[0-9]+ -?[0-9]+ [^ ]+ ' why=''
  # shellcheck disable=SC2086
  all=$(soon "$containers" inspect --type container --format "$format {{.Name}} {{.Config.Image}}" $ids 2>&1) ||
    why=$(reason $? "$(printf '%s\n' "$all" | grep -vE "$shape" | tail -n 1)" "$containers inspect")
  printf '%s\n%s\n' "$(printf '%s\n' "$all" | grep -E "$shape" | cut -c 1-200)" "$why"
}
containers() { # Where root lists them each minute, so that what sends need not have the rights to.
  if root || [ ! -e $told ]; then list_containers
  elif [ -n "$(find $told -mmin -4)" ]; then cat $told; else echo '! root has not listed them for minutes'; fi
}
units() { # State, what it is within that, and name of up to 200.
  has systemctl || { echo '! systemctl is not installed'; return; }
  set -f
  # shellcheck disable=SC2086
  all=$(soon systemctl list-units --all --full --plain --no-legend --no-pager -- $patterns 2>&1) || {
    reason $? "$all" systemctl; set +f; return
  }
  set +f
  printf '%s\n' "$all" | sed -nE 's/^[* ]*([^ ]+) +([^ ]+) +([^ ]+) +([^ ]+).*/\2 \3 \4 \1/p' |
    grep -v '^not-found ' | cut -d ' ' -f 2- | head -n 201 | cut -c 1-160
}
bsd() { # macOS and FreeBSD; of what only the other one has, the name of the section is all that is said.
  [ ! -e "$state/top" ] || show top ps -Ao pcpu=,pmem=,comm= -r | head -n 10
  show sysctl sysctl kern.boottime kern.bootsessionuuid kern.cp_time hw.memsize hw.physmem hw.pagesize hw.ncpu \
    vm.loadavg vm.swapusage vm.stats.vm.v_free_count vm.stats.vm.v_inactive_count kstat.zfs.misc.arcstats.size
  show sw_vers sw_vers; show vm_stat vm_stat; show cpu_usage top -l 2 -n 0 -s 1; show swapinfo swapinfo -k
  show iostat iostat -Idx; show netstat netstat -ibn; show processes sh -c 'ps -A | grep -c .'; show df soon df -kil
}
report() {
  printf 'upbeat-agent 1 %s\n' "$version" && if [ -r /proc/stat ]; then linux; else bsd; fi
  [ -z "$containers" ] || show containers containers
  [ -z "$patterns" ] || show units units
  show os grep -E '^(PRETTY_)?NAME=' /etc/os-release
  show host uname -n && show kernel uname -srm && show machine machine && show time date +%s
}
send() { # Arguments of a program are for all to see, so the address is none, but with the wget of busybox.
  if has curl; then curl -qfsS -m 15 --retry 1 -K "$conf" -H 'Content-Type: text/plain' --data-binary @-; return; fi
  rm -f "$state/report" && cat >"$state/report" && read -r url <"$conf" && url=${url#*\"} && url=${url%\"*}
  set -- -qO- --header 'Content-Type: text/plain' --post-file "$state/report"
  case $(wget --version 2>&1) in *GNU*) echo "$url" | wget -T 15 -t 1 -i - "$@" ;; *) soon wget "$@" "$url" ;; esac
}
once() { # The service answers a word: whether it wants to know which processes use the most.
  answer=$(report | send) || fail 'the service did not take the report' || return 1
  case $answer in *top) : >"$state/top" ;; *) rm -f "$state/top" ;; esac
}
unit() { # DynamicUser says more: it can neither write nor gain privileges.
  printf '%s\n' '[Unit]' 'Description=Agent of Upbeat' '[Service]' Type=oneshot "ExecStart=/bin/sh $dir/agent.sh" \
    "LoadCredential=agent.conf:$dir/agent.conf" RuntimeDirectory=upbeat-agent CapabilityBoundingSet= CPUQuota=25% \
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX' SystemCallFilter=@system-service TimeoutStartSec=50s \
    SystemCallArchitectures=native LogLevelMax=notice UMask=0077
  if [ -z "$containers" ]; then echo MemoryMax=64M
  else printf '%s\n' MemoryMax=256M "ExecStartPre=-+/bin/sh $dir/agent.sh --list-containers"; fi
  for name in DynamicUser RuntimeDirectoryPreserve PrivateDevices PrivateTmp PrivateUsers RestrictNamespaces \
    ProtectClock ProtectControlGroups ProtectHostname ProtectKernelLogs ProtectKernelModules ProtectKernelTunables \
    LockPersonality MemoryDenyWriteExecute RestrictRealtime; do echo "$name=yes"; done
}
start() { # By the best that this machine has: $how. What sends is nobody, or may write nowhere.
  run="/bin/sh '$dir/agent.sh'" && line="sleep $(($$ % 50)); $run >/dev/null 2>&1"
  if root && modern; then
    how="systemd's upbeat-agent.timer" && unit >$units.service && printf '%s\n' '[Timer]' OnCalendar=minutely \
      RandomizedDelaySec=50s FixedRandomDelay=yes AccuracySec=1s '[Install]' WantedBy=timers.target >$units.timer
    systemctl daemon-reload && systemctl enable -q --now upbeat-agent.timer && systemctl start upbeat-agent; return
  fi
  once; first=$?; ! root || chown nobody "$conf" "$state"
  if root && has rc-update; then
    how='OpenRC, as nobody' user=nobody
    if [ "$containers" = docker ] && grep -qs '^docker:' /etc/group; then user=nobody:docker; fi
    printf '%s\n' '#!/sbin/openrc-run' command=/bin/sh command_user=$user \
      "command_args='$dir/agent.sh --loop $conf'" command_background=yes pidfile=/run/upbeat-agent.pid >$rc
    chmod 755 $rc && rc-update -q add upbeat-agent default && rc-service -q upbeat-agent start
  elif root && cron && [ -d /etc/cron.d ]; then
    how='cron, as nobody' && { printf 'HOME=/\n* * * * * nobody %s\n' "$line"
      [ -z "$containers" ] || echo "* * * * * root $run --list-containers"; } >/etc/cron.d/upbeat-agent
  elif cron && has crontab; then
    how="a crontab" && { table -l 2>/dev/null; printf '* * * * * %s\n' "$line"; } | table -
  else
    how='a loop, which ends with the machine: let its start run this again' && : >"$dir/loop.$$"
    line="nohup $run --loop '$dir/loop.$$' >/dev/null 2>&1 &"
    if root; then su -s /bin/sh nobody -c "$line"; else sh -c "$line"; fi
  fi
  return $first
}
install() {
  has curl || has wget || fail 'neither curl nor wget is installed' || return 1
  [ ! -e "$dir/agent.sh" ] || uninstall
  umask 022 && mkdir -p "$state" && (umask 077 && printf 'url = "%s"\n' "$address" >"$conf") || return 1
  if grep -qs '^# The agent of Upbeat:' "$0"; then cat "$0"
  elif has curl; then sed 's|"$|/install"|' "$conf" | curl -qfsS -K -
  else wget -qO- "$address/install"; fi |
    sed "s|^address=.*|address='' dir='$dir' containers='$containers' patterns='$patterns'|" >"$dir/agent.sh"
  grep -q '^main ' "$dir/agent.sh" && start || fail 'the first report failed; it is tried again each minute' || return 1
  echo "upbeat-agent: reports once a minute by $how. To remove it: sh $dir/agent.sh --uninstall"
}
uninstall() {
  if root; then
    [ ! -e $units.timer ] || { systemctl disable -q --now upbeat-agent.timer; systemctl stop upbeat-agent; }
    [ ! -e $rc ] || { rc-service -q upbeat-agent stop; rc-update -q del upbeat-agent default; }
    rm -rf $units.* $rc /etc/cron.d/upbeat-agent /run/upbeat-agent /run/private/upbeat-agent $told*
    ! modern || systemctl daemon-reload
  fi
  if table -l 2>/dev/null | grep -qF "$dir/agent.sh"; then
    rest=$(table -l | grep -vF "$dir/agent.sh")
    if [ -n "$rest" ]; then printf '%s\n' "$rest" | table -; else table -r; fi
  fi
  rm -rf "$state" "$conf" "$dir/agent.sh" "$dir"/loop.* && rmdir "$dir" 2>/dev/null; echo 'upbeat-agent: removed'
}
options() { # A pattern holds nothing that a shell or sed would take for more.
  for option; do
    case $option in
      --containers) containers=docker && { has docker || ! has podman || containers=podman; } ;;
      --containers=docker | --containers=podman) containers=${option#*=} ;;
      --units) patterns='*.service' ;;
      --units= | --units=*[!A-Za-z0-9:_.@*?\ -]*)
        fail "$option: name units, such as '*.service ssh.socket'" || return 1 ;;
      --units=*) patterns=${option#*=} ;;
      *) fail "$option is no option: --containers, --units or --uninstall" || return 1 ;;
    esac
  done
}
main() {
  ! root || dir=${dir:-/etc/upbeat}
  conf=${CREDENTIALS_DIRECTORY:-${dir:=$HOME/.upbeat-agent}}/agent.conf state=${RUNTIME_DIRECTORY:-$dir/state}
  case ${1-} in
    --uninstall) uninstall ;; --show) report ;;
    --list-containers) umask 022 && list_containers >$told.new && mv -f $told.new $told ;;
    --loop) while sleep 60 && [ -e "$2" ]; do once; done ;;
    *) if [ -z "$address" ]; then once; else options "$@" && install; fi ;;
  esac
}
main "$@"
