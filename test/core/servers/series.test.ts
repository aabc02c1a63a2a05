import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isInterface } from '../../../src/core/servers/series.ts'

describe('interfaces of a machine', () => {
  const real =
    'eth0 ens5 enp3s0 eno1 enx00e04c680001 eni0 wlan0 wlp2s0 bond0 em1 igb0 vtnet0 xn0 en0 ib0 usb0 eth0.100 gkey lxcX'
  for (const name of real.split(' ')) test(`${name} counts`, () => assert.equal(isInterface(name), true))

  const ends =
    'lo veth1a2b docker0 br-12ab cali0a1b2c3d4e5 cilium_host cilium_net cilium_vxlan lxc_health lxc0f1e2d3c4b5a lxc12ab34cd56ef ' +
    'eni5d1a2b3c4e5 gke52d1e5a4f2a azv0a1b2c3d4e5 vxlan.calico vxlan_sys_4789 flannel.1 cni0 genev_sys_6081 ovs-system antrea-gw0 ' +
    'vethwe-bridge weave datapath kube-bridge kube-dummy-if kube-ipvs0 nodelocaldns lxcbr0 lxdbr0'
  for (const name of ends.split(' '))
    test(`${name} is counted at another one`, () => assert.equal(isInterface(name), false))
})
