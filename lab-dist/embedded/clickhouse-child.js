import { createRequire } from "node:module";
import { closeSync, constants, existsSync, fstatSync, openSync, writeFileSync, writeSync } from "node:fs";
import { setPriority } from "node:os";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { libchdbPath } from "chdb/libchdb";
import { DataType, load, open } from "ffi-rs";
// embedded/landlock.ts
const createRuleset = 444;
const addRule = 445;
const restrictSelf = 446;
const versionFlag = 1;
const pathBeneath = 1;
const netPort = 2;
const noNewPrivileges = 38;
const read = 12;
const ofFiles = 16391;
const append = 16674;
const everything = [
	8191,
	16383,
	32767,
	32767,
	65535
];
const connectTcp = 2;
/**
* Denies this thread, and all threads and processes that it starts from now on, every file but these and, where the kernel supports
* it, every other outgoing TCP connection. It cannot be undone. Returns false where there is no Landlock (not Linux, or a kernel
* without it).
*/
function restrictFiles({ writable, appendable, readable, connects }) {
	if (process.platform !== "linux") return false;
	const version = syscall(createRuleset, 0, 0, versionFlag);
	if (version < 1) return false;
	const handled = everything[Math.min(version, everything.length) - 1] ?? 0;
	const attributes = Buffer.alloc(version >= 4 ? 16 : 8);
	attributes.writeBigUInt64LE(BigInt(handled));
	if (version >= 4) attributes.writeBigUInt64LE(BigInt(connectTcp), 8);
	const ruleset = syscall(createRuleset, attributes, attributes.length, 0);
	if (ruleset < 0) return false;
	const allow = (path, access) => {
		if (!existsSync(path)) return true;
		const fd = openSync(path, "r");
		const isFolder = fstatSync(fd).isDirectory();
		const rule = Buffer.alloc(12);
		rule.writeBigUInt64LE(BigInt(access & handled & (isFolder ? -1 : ofFiles)));
		rule.writeInt32LE(fd, 8);
		const isAdded = syscall(addRule, ruleset, pathBeneath, rule, 0) === 0;
		if (isFolder) closeSync(fd);
		return isAdded;
	};
	const allowPort = (port) => {
		if (version < 4) return true;
		const rule = Buffer.alloc(16);
		rule.writeBigUInt64LE(BigInt(connectTcp));
		rule.writeBigUInt64LE(BigInt(port), 8);
		return syscall(addRule, ruleset, netPort, rule, 0) === 0;
	};
	if ([
		...writable.map((folder) => allow(folder, handled)),
		...appendable.map((folder) => allow(folder, append)),
		...readable.map((folder) => allow(folder, read)),
		...connects.map(allowPort)
	].includes(false)) return false;
	load({
		library: "c",
		funcName: "prctl",
		retType: DataType.I32,
		paramsType: [
			DataType.I32,
			DataType.I64,
			DataType.I64,
			DataType.I64,
			DataType.I64
		],
		paramsValue: [
			noNewPrivileges,
			1,
			0,
			0,
			0
		]
	});
	return syscall(restrictSelf, ruleset, 0) === 0;
}
function syscall(number, ...args) {
	return load({
		library: "c",
		funcName: "syscall",
		retType: DataType.I64,
		paramsType: [DataType.I64, ...args.map((arg) => typeof arg === "number" ? DataType.I64 : DataType.U8Array)],
		paramsValue: [number, ...args]
	});
}
// embedded/clickhouse-child.ts
const [configFile = "", dataDir = "", what = "{}"] = process.argv.slice(2);
const { boot, allowed, memoryBytes } = JSON.parse(what);
if (!existsSync(configFile)) fail(78, `config file missing: ${configFile}`);
open({
	library: "c",
	path: process.platform === "darwin" ? "/usr/lib/libSystem.B.dylib" : "libc.so.6"
});
const c = (funcName, ...args) => load({
	library: "c",
	funcName,
	retType: DataType.I32,
	paramsType: args.map(() => DataType.I32),
	paramsValue: args
});
const master = c("posix_openpt", constants.O_RDWR | constants.O_NOCTTY);
if (master < 0 || c("grantpt", master) !== 0 || c("unlockpt", master) !== 0) fail(70, "cannot open a pseudo-terminal");
const terminal = load({
	library: "c",
	funcName: "ptsname",
	retType: DataType.String,
	paramsType: [DataType.I32],
	paramsValue: [master]
});
const slave = openSync(terminal, constants.O_RDWR | constants.O_NOCTTY);
const control = c("dup", 0);
c("dup2", slave, 0);
if (memoryBytes) await limitMemory(memoryBytes);
const watcher = new Worker(`const { readSync, writeSync } = require('node:fs')
   const { parentPort, workerData } = require('node:worker_threads')
   const nap = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
   const buffer = Buffer.alloc(64)
   parentPort.postMessage('up')
   for (let open = true; open; ) {
     try { open = readSync(workerData.control, buffer) > 0 } catch (error) { if (error.code !== 'EAGAIN') throw error; nap(100) }
   }
   for (;;) { writeSync(workerData.master, '\\nexit\\n'); nap(300) }`, {
	eval: true,
	workerData: {
		control,
		master
	}
});
await once(watcher, "message");
writeSync(master, boot.map((statement) => `${statement.replace(/\s+/g, " ")};\n`).join(""));
open({
	library: "chdb",
	path: libchdbPath()
});
const readable = allowed.readable.map((path) => path.replace("/proc/self", `/proc/${process.pid}`));
if (restrictFiles({
	...allowed,
	readable
})) writeSync(1, "CONFINED\n");
const argv = [
	"clickhouse",
	"--interactive",
	"--disable_suggestion",
	`--config-file=${configFile}`,
	"--path",
	dataDir
];
load({
	library: "chdb",
	funcName: "chdb_query_cmdline",
	retType: DataType.External,
	paramsType: [DataType.I32, DataType.StringArray],
	paramsValue: [argv.length, argv]
});
process.exit(0);
/**
* Some libraries of the engine allocate outside of what it counts. So a thread ends this process when it holds more than it may; the
* kernel refuses allocations far above that; and when the machine runs out of memory, this process is the first to go.
*/
async function limitMemory(bytes) {
	const script = createRequire(import.meta.url).resolve("#dist/embedded/memory-watch.js");
	await once(new Worker(script, { workerData: { bytes } }), "message");
	setPriority(10);
	if (process.platform !== "linux") return;
	writeFileSync("/proc/self/oom_score_adj", "900");
	const [data, core] = [2, 4];
	limit(data, bytes + 2 ** 30);
	limit(core, 0);
}
function limit(resource, most) {
	const both = Buffer.alloc(16);
	both.writeBigUInt64LE(BigInt(most), 0);
	both.writeBigUInt64LE(BigInt(most), 8);
	const paramsType = [DataType.I32, DataType.U8Array];
	load({
		library: "c",
		funcName: "setrlimit",
		retType: DataType.I32,
		paramsType,
		paramsValue: [resource, both]
	});
}
function fail(code, message) {
	console.error(message);
	process.exit(code);
}
export {};
