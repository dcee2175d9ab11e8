import { spawn } from "node:child_process";
// embedded/postgres-keeper.ts
const [identity = "{}", binary = "", ...args] = process.argv.slice(2);
const postgres = spawn(binary, args, {
	...JSON.parse(identity),
	stdio: [
		"ignore",
		"inherit",
		"inherit"
	]
});
let stopping = false;
const stop = () => {
	if (stopping) return;
	stopping = true;
	postgres.kill("SIGINT");
	setTimeout(() => postgres.kill("SIGQUIT"), 8e3).unref();
};
process.stdin.on("end", stop).on("error", stop).resume();
for (const signal of [
	"SIGTERM",
	"SIGINT",
	"SIGHUP"
]) process.on(signal, stop);
postgres.once("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
postgres.once("error", (error) => {
	console.error(error.message);
	process.exit(127);
});
export {};
