package io.tidemark.server.resp.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CommandTableTest {
    private static final Pattern NAME = Pattern.compile("`([A-Z.]+)`");

    @Test
    void theGuideNamesEveryCommandAndNoOther() throws Exception {
        Path guide = Path.of(System.getenv("TIDEMARK_ROOT"), "docs", "redis.md");
        Set<String> documented = Files.readAllLines(guide).stream()
                .filter(line -> line.startsWith("| ") && line.contains("`"))
                .flatMap(line -> NAME.matcher(line).results())
                .map(name -> name.group(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known =
                CommandTable.get().all().stream().map(Command::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(known);
    }

    @Test
    void everyValueFollowsAKeyOfItsCommand() {
        for (Command command : CommandTable.get().all()) {
            ValuePositions values = command.values();
            if (values.first() > 0) {
                int key = values.first() - values.keyDistance();
                assertThat(command.keys().indexes(Math.abs(command.arity())))
                        .as(command.name())
                        .contains(key);
                assertThat(command.flags()).as(command.name()).contains(Flag.WRITE, Flag.DENYOOM);
            }
        }
    }

    @Test
    void findsNamesInAnyCase() {
        assertThat(CommandTable.get().find("GeT")).map(Command::name).contains("get");
        assertThat(CommandTable.get().find("nosuch")).isEmpty();
    }

    @Test
    void eachCommandHasAGroup() {
        CommandTable table = CommandTable.get();
        assertThat(table.all())
                .allSatisfy(command -> assertThat(table.group(command).equals("tidemark"))
                        .as(command.name())
                        .isEqualTo(command.name().startsWith("tm.")));
        assertThat(table.find("config|get")).map(table::group).contains("server");
    }

    @Test
    void aSubcommandIsNoCommandOfItsOwn() {
        assertThat(CommandTable.get().find("config|get")).isPresent();
        assertThat(CommandTable.get().find("config|get".getBytes(StandardCharsets.US_ASCII)))
                .isEmpty();
    }
}
