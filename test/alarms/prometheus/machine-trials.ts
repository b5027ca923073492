/** The numbers at which alarms about the database, its cluster and machines are raised. */

import { above, hours, minutes, type Scene, type Trial } from "./scene.ts";

const reads = (outcome: string, instance = "a") =>
  `windward_standby_reads_total{instance="${instance}",outcome="${outcome}"}`;
const certificate = 'windward_certificate_ends_timestamp_seconds{file="server.crt",instance="a"}';
const ofNode = (name: string, node: string) => `${name}{job="patroni",instance="${node}"}`;
const disk = (name: string, type = "ext4", at = "/") =>
  `node_filesystem_${name}{instance="a",mountpoint="${at}",fstype="${type}"}`;
const full = (type?: string, at?: string) => ({
  [disk("avail_bytes", type, at)]: "1x120",
  [disk("size_bytes", type, at)]: "100x120",
});

function nodes(counts: Readonly<Record<string, readonly string[]>>, after: number): Scene {
  const series = Object.entries(counts).flatMap(([name, values]) =>
    values.map((value, at) => [ofNode(name, `node_${at}`), value]),
  );
  return minutes(after, Object.fromEntries(series));
}

export const MACHINE_TRIALS: Readonly<Record<string, Trial>> = {
  NoStandby: {
    fires: [minutes(1, standbys(1, "0x4"))],
    silent: [minutes(10, standbys(1, "1x40")), minutes(10, standbys(0, "0x40"))],
  },
  ArchiveFails: {
    fires: [minutes(10, { windward_database_archive_fails: "1x40" })],
    silent: [minutes(60, { windward_database_archive_fails: "0x20 1x38 0x100" })],
  },
  StandbyNotRead: {
    fires: [
      minutes(9, { [reads("unreachable")]: "0+1x60", [reads("served")]: "9x60" }),
      // Another process is served.
      minutes(9, { [reads("unreachable")]: "0+1x60", [reads("served", "b")]: "0+1x60" }),
    ],
    silent: [
      // By night, when few are asked for.
      minutes(90, { [reads("behind")]: "0x40 1x320", [reads("served")]: "9x360" }),
      minutes(90, { [reads("behind")]: "0x40 19x320", [reads("served")]: "9x360" }),
      minutes(40, { [reads("behind")]: "0+9x160", [reads("served")]: "0+1x160" }),
      minutes(40, { [reads("behind")]: "9x160", [reads("served")]: "9x160" }),
    ],
  },
  NoSinglePrimary: {
    fires: [
      nodes({ patroni_primary: ["0x4", "0x4", "0x4"] }, 1),
      nodes({ patroni_primary: ["1x4", "1x4", "0x4"] }, 1),
      minutes(1, {}),
    ],
    // The longest failover of the drill.
    silent: [nodes({ patroni_primary: ["1x8 0x30", "0x10 1x28", "0x38"] }, 9)],
  },
  NoSyncStandby: {
    fires: [nodes({ patroni_sync_standby: ["0x4", "0x4", "0x4"] }, 1)],
    silent: [nodes({ patroni_sync_standby: ["0x40", "1x9 0x30", "0x11 1x29"] }, 9)],
  },
  DatabaseNodeAway: {
    fires: [
      nodes(
        { patroni_postgres_running: ["1x20", "0x20", "1x20"], up: ["1x20", "1x20", "1x20"] },
        5,
      ),
      nodes({ up: ["1x20", "0x20", "1x20"] }, 5),
      minutes(5, {}),
    ],
    silent: [nodes({ patroni_postgres_running: ["1x9 0x9 1x60"], up: ["1x9 0x9 1x60"] }, 19)],
  },
  ClusterStoreAway: {
    fires: [nodes({ patroni_dcs_last_seen: ["0x12", "0+15x12"] }, 3)],
    silent: [nodes({ patroni_dcs_last_seen: ["0+15x20 300x4 360+15x50", "0+15x80"] }, 19)],
  },
  MachineUnseen: {
    fires: [minutes(5, { 'up{job="node",instance="a"}': "0x20" }), minutes(5, {})],
    silent: [minutes(20, { 'up{job="node",instance="a"}': "1x20 0x18 1x42" })],
  },
  DiskFills: {
    fires: [
      minutes(10, { [disk("avail_bytes")]: "19x40", [disk("size_bytes")]: "100x40" }),
      minutes(10, { ...full(), [disk("readonly")]: "0x120" }),
    ],
    silent: [
      minutes(30, { [disk("avail_bytes")]: "20x120", [disk("size_bytes")]: "100x120" }),
      minutes(30, full("tmpfs")),
      minutes(30, full("vfat", "/boot/efi")),
      minutes(30, { ...full(), [disk("readonly")]: "1x120" }),
    ],
  },
  RestoreTestFailed: above("windward_restore_test_failed", 0),
  RestoreTestOld: {
    fires: [hours(50, { windward_restore_test_success_timestamp_seconds: "0x600" }), hours(2, {})],
    silent: [
      hours(48, { windward_restore_test_success_timestamp_seconds: "0x600" }),
      hours(90, { windward_restore_test_success_timestamp_seconds: "0x500 150000x580" }),
    ],
  },
  CertificateEnds: {
    fires: [
      hours(2, { [certificate]: "2592000x30" }),
      hours(2, {}),
      hours(2, { [certificate]: "2916000x1000", 'up{job="node",instance="untold"}': "1x1000" }),
    ],
    silent: [
      hours(80, {
        [certificate]: "2916000x1000",
        'up{job="node",instance="a"}': "1x1000",
        'up{job="node",instance="away"}': "0x1000",
      }),
    ],
  },
};

function standbys(waits: number, connected: string): Record<string, string> {
  return {
    windward_database_waits_for_standby: `${waits}x40`,
    windward_database_standbys: connected,
  };
}
