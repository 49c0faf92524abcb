{{- /* A quantity of Kubernetes (512Mi, 0.5, 250m, 1e9) as a number; nothing for what is none. */ -}}
{{- define "tidemark-volume.quantity" -}}
{{- $text := toString . -}}
{{- if regexMatch "^[0-9]{1,18}([.][0-9]{1,9})?([eE][-+]?[0-9]{1,2}|[numkMGTPE]|[KMGTPE]i)?$" $text -}}
{{- $digits := regexFind "^[0-9.]+([eE][-+]?[0-9]+)?" $text -}}
{{- $units := dict "" 1.0 "n" 1e-9 "u" 1e-6 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 -}}
{{- $units = merge $units (dict "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0) -}}
{{- $units = merge $units (dict "Pi" 1125899906842624.0 "Ei" 1152921504606846976.0) -}}
{{- mulf (float64 $digits) (get $units (trimPrefix $digits $text)) -}}
{{- end -}}
{{- end -}}

{{- /* Names of the volumes that each pod has for itself, and that begin empty, as a JSON list. */ -}}
{{- define "tidemark-volume.ownVolumes" -}}
{{- $own := list -}}
{{- range .extraVolumes }}{{ if or (hasKey . "emptyDir") (hasKey . "ephemeral") }}{{ $own = append $own .name }}{{ end }}{{ end -}}
{{- toJson $own -}}
{{- end -}}

{{- /* Whether the folder of a file is there and can be written to in the pod: "yes", or nothing. */ -}}
{{- define "tidemark-volume.writable" -}}
{{- $values := .values -}}
{{- $folder := dir .path -}}
{{- $mount := clean $values.pvc.mountPath -}}
{{- if hasPrefix "/" .path -}}
{{- if or (not $values.securityContext.container.readOnlyRootFilesystem) (eq $folder "/tmp") -}}
yes
{{- else if and (not $values.pvc.readOnly) (hasPrefix (printf "%s/" $mount) (printf "%s/" $folder)) -}}
yes
{{- else -}}
{{- $own := include "tidemark-volume.ownVolumes" $values | fromJsonArray -}}
{{- $found := "" -}}
{{- range $values.extraVolumeMounts -}}
{{- $at := clean .mountPath -}}
{{- $below := and (hasPrefix (printf "%s/" $at) (printf "%s/" $folder)) (not (has .name $own)) -}}
{{- if and (not .readOnly) (or (eq $folder $at) $below) }}{{ $found = "yes" }}{{ end -}}
{{- end -}}
{{- $found -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Whether all replicas have the same folder under a file's path: "yes", or nothing. */ -}}
{{- define "tidemark-volume.shared" -}}
{{- $values := .values -}}
{{- $folder := printf "%s/" (dir .path) -}}
{{- $own := include "tidemark-volume.ownVolumes" $values | fromJsonArray -}}
{{- $found := "" -}}
{{- if hasPrefix (printf "%s/" (clean $values.pvc.mountPath)) $folder }}{{ $found = "yes" }}{{ end -}}
{{- range $values.extraVolumeMounts -}}
{{- if and (hasPrefix (printf "%s/" (clean .mountPath)) $folder) (not (has .name $own)) }}{{ $found = "yes" }}{{ end -}}
{{- end -}}
{{- $found -}}
{{- end -}}

{{- /* The config's values of which the pod would say that they cannot be meant, or that it could not do. */ -}}
{{- define "tidemark-volume.wrongConfig" -}}
{{- $wrong := list -}}
{{- $config := .Values.config -}}
{{- $ranges := dict "cleanupThreshold" (list 0.0 100.0) "targetThreshold" (list 0.0 100.0) "criticalThreshold" (list 0.0 100.0) -}}
{{- $ranges = merge $ranges (dict "loggerIntervalSeconds" (list 0.01 3600.0) "tmpTtlSeconds" (list 60.0 31536000.0)) -}}
{{- $ranges = merge $ranges (dict "fileAccessTimeThresholdMinutes" (list 0.0 5256000.0)) -}}
{{- $ranges = merge $ranges (dict "dirCleanupTtlSeconds" (list 0.0 31536000.0) "passIntervalSeconds" (list 1.0 86400.0)) -}}
{{- range $key, $range := $ranges -}}
{{- $value := get $config $key -}}
{{- $number := float64 $value -}}
{{- if and (ne (toString $value) "") (or (lt $number (first $range)) (gt $number (last $range))) -}}
{{- $wrong = append $wrong (printf "config.%s=%v has to be from %v to %v" $key $value (first $range) (last $range | int64)) -}}
{{- end -}}
{{- end -}}
{{- if and (ne (toString $config.targetThreshold) "<nil>") (eq (float64 $config.targetThreshold) 0.0) -}}
{{- $wrong = append $wrong (printf "config.targetThreshold=%v has to be above 0" $config.targetThreshold) -}}
{{- end -}}
{{- if not (lt (float64 $config.targetThreshold) (float64 $config.cleanupThreshold)) -}}
{{- $wrong = append $wrong (printf "config.targetThreshold=%v has to be below config.cleanupThreshold=%v" $config.targetThreshold $config.cleanupThreshold) -}}
{{- end -}}
{{- if and (ne (toString $config.criticalThreshold) "") (lt (float64 $config.criticalThreshold) (float64 $config.cleanupThreshold)) -}}
{{- $wrong = append $wrong (printf "config.criticalThreshold=%v has to be at least config.cleanupThreshold=%v" $config.criticalThreshold $config.cleanupThreshold) -}}
{{- end -}}
{{- if gt (int64 $config.fileQueueMinSize) (int64 $config.fileQueueMaxsize) -}}
{{- $wrong = append $wrong "config.fileQueueMinSize has to be at most config.fileQueueMaxsize" -}}
{{- end -}}
{{- if and $config.dryRun $config.shadow -}}
{{- $wrong = append $wrong "config.dryRun and config.shadow exclude each other" -}}
{{- end -}}
{{- range splitList "," ($config.modelTtl | default "") -}}
{{- if not (regexMatch "^\\s*$|[^\\s].*=\\s*[0-9]{1,9}[smhd]\\s*$" .) -}}
{{- $wrong = append $wrong (printf "config.modelTtl has %s: it has to be MODEL=TIME, ... with times such as 12h or 7d" (quote .)) -}}
{{- end -}}
{{- end -}}
{{- range splitList "," ($config.modelQuota | default "") -}}
{{- if not (regexMatch "^\\s*$|[^\\s].*=\\s*[0-9]{1,18}([.][0-9]{1,6})? ?([KMGTP]i?)?B?\\s*$" .) -}}
{{- $wrong = append $wrong (printf "config.modelQuota has %s: it has to be MODEL=SIZE, ... with sizes such as 500Gi" (quote .)) -}}
{{- end -}}
{{- end -}}
{{- with $config.logFilePath -}}
{{- if not (include "tidemark-volume.writable" (dict "path" . "values" $.Values)) -}}
{{- $wrong = append $wrong (printf "config.logFilePath=%s has to be a file in a folder that the pod has and may write to: /tmp, or one of pvc.mountPath or extraVolumeMounts" .) -}}
{{- end -}}
{{- if and (gt (int $.Values.replicaCount) 1) (include "tidemark-volume.shared" (dict "path" . "values" $.Values)) -}}
{{- $wrong = append $wrong (printf "config.logFilePath=%s with replicaCount=%v has to be in a folder that each pod has for itself, such as /tmp: one file is for one process" . $.Values.replicaCount) -}}
{{- end -}}
{{- end -}}
{{- with $config.storageEventsEndpoint -}}
{{- $port := regexFind "[0-9]{1,5}$" . -}}
{{- if hasPrefix "ipc://" . -}}
{{- if not (include "tidemark-volume.writable" (dict "path" (trimPrefix "ipc://" .) "values" $.Values)) -}}
{{- $wrong = append $wrong (printf "config.storageEventsEndpoint=%s has to be in a folder that the pod has and may write to: /tmp, or one of pvc.mountPath or extraVolumeMounts" .) -}}
{{- end -}}
{{- else if or (not (regexMatch "^tcp://(\\[[^\\]\\s]+\\]|[^:/\\s\\[\\]]+):([0-9]{1,5}|[*])$" .)) (gt (atoi $port) 65535) -}}
{{- $wrong = append $wrong (printf "config.storageEventsEndpoint=%s has to be tcp://HOST:PORT with a port up to 65535, or ipc://PATH" .) -}}
{{- else if eq $port (toString (int $.Values.metrics.port)) -}}
{{- $wrong = append $wrong (printf "config.storageEventsEndpoint=%s has to have another port than metrics.port" .) -}}
{{- end -}}
{{- end -}}
{{- toJson $wrong -}}
{{- end -}}

{{- /* What does not fit together of memory and processor. */ -}}
{{- define "tidemark-volume.wrongResources" -}}
{{- $wrong := list -}}
{{- $resources := .Values.resources | default dict -}}
{{- $limits := $resources.limits | default dict -}}
{{- $requests := $resources.requests | default dict -}}
{{- range $kind, $all := dict "limits" $limits "requests" $requests -}}
{{- range $name, $value := $all -}}
{{- if not (include "tidemark-volume.quantity" $value) -}}
{{- $wrong = append $wrong (printf "resources.%s.%s=%v has to be a quantity of Kubernetes, such as 512Mi" $kind $name $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $wrong -}}
{{- range $name, $value := $requests -}}
{{- if and (hasKey $limits $name) (gt (include "tidemark-volume.quantity" $value | float64) (include "tidemark-volume.quantity" (get $limits $name) | float64)) -}}
{{- $wrong = append $wrong (printf "resources.requests.%s=%v has to be at most resources.limits.%s=%v" $name $value $name (get $limits $name)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $digits := regexFind "^[0-9]+" .Values.javaHeap -}}
{{- $heapMi := divf (mulf (float64 $digits) (get (dict "" 1.0 "k" 1024.0 "m" 1048576.0 "g" 1073741824.0) (trimPrefix $digits .Values.javaHeap | lower))) 1048576.0 -}}
{{- if lt $heapMi 16.0 -}}
{{- $wrong = append $wrong (printf "javaHeap=%s has to be at least 16m" .Values.javaHeap) -}}
{{- end -}}
{{- /* What was measured with a hundred million files is 234 MiB; with the defaults this makes 241. */ -}}
{{- $needMi := addf $heapMi (divf (mulf 68.0 (float64 .Values.config.readyBuffer)) 1048576.0) 64.0 | ceil -}}
{{- with $limits.memory -}}
{{- $limit := include "tidemark-volume.quantity" . -}}
{{- if and $limit (lt (divf (float64 $limit) 1048576.0) $needMi) -}}
{{- $wrong = append $wrong (printf "resources.limits.memory=%v has to be at least %dMi: javaHeap=%s, 68 bytes for each of config.readyBuffer=%d, and 64Mi for the JVM itself" . (int64 $needMi) $.Values.javaHeap (int64 $.Values.config.readyBuffer)) -}}
{{- end -}}
{{- end -}}
{{- toJson $wrong -}}
{{- end -}}

{{- /* Of the pod: places and names that exclude each other. */ -}}
{{- define "tidemark-volume.wrongPod" -}}
{{- $wrong := list -}}
{{- $config := .Values.config -}}
{{- $mount := .Values.pvc.mountPath -}}
{{- $taken := list "/" "/bin" "/dev" "/etc" "/lib" "/lib64" "/opt" "/opt/tidemark" "/proc" "/sbin" "/sys" "/tmp" "/usr" -}}
{{- if not (and (regexMatch "^/[^:]*$" $mount) (not (regexMatch "(^|/)[.]{1,2}(/|$)" $mount)) (not (has (clean $mount) $taken))) -}}
{{- $wrong = append $wrong (printf "pvc.mountPath=%s has to be an absolute path of the cache's own, without . and .. and colons, none of: %s" $mount (join ", " $taken)) -}}
{{- end -}}
{{- if and .Values.pvc.readOnly (not (or $config.dryRun $config.shadow)) -}}
{{- $wrong = append $wrong "pvc.readOnly needs config.dryRun or config.shadow: nothing can be removed from a volume mounted read-only" -}}
{{- end -}}
{{- if and (gt (int .Values.replicaCount) 1) (not $config.sweeperLeases) -}}
{{- $wrong = append $wrong (printf "replicaCount=%d needs config.sweeperLeases: without them each replica would free the whole need" (int .Values.replicaCount)) -}}
{{- end -}}
{{- $own := list "TIDEMARK_HEAP" "PVC_MOUNT_PATH" "METRICS_ADDRESS" "METRICS_OPEN" -}}
{{- range $key, $value := $config -}}
{{- $own = append $own (snakecase $key | upper) -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if has .name $own -}}
{{- $wrong = append $wrong (printf "extraEnv has %s, which the chart sets: give its value instead" .name) -}}
{{- end -}}
{{- end -}}
{{- $selector := include "tidemark-volume.labels" . | fromYaml -}}
{{- range $name, $value := .Values.podLabels -}}
{{- if hasKey $selector $name -}}
{{- $wrong = append $wrong (printf "podLabels has %s, which the chart sets: it has to be another label" $name) -}}
{{- end -}}
{{- end -}}
{{- $volumes := list "cache" "tmp" -}}
{{- range .Values.extraVolumes -}}
{{- if has .name $volumes -}}
{{- $wrong = append $wrong (printf "extraVolumes has %s, which is there already: it has to have another name" .name) -}}
{{- end -}}
{{- $volumes = append $volumes .name -}}
{{- end -}}
{{- $places := list (clean $mount) "/tmp" -}}
{{- range .Values.extraVolumeMounts -}}
{{- if not (has .name $volumes) -}}
{{- $wrong = append $wrong (printf "extraVolumeMounts has %s: it has to be one of %s" .name (join ", " $volumes)) -}}
{{- end -}}
{{- if has (clean .mountPath) $places -}}
{{- $wrong = append $wrong (printf "extraVolumeMounts has mountPath=%s, where something is mounted already: it has to be another place" .mountPath) -}}
{{- end -}}
{{- $places = append $places (clean .mountPath) -}}
{{- end -}}
{{- toJson $wrong -}}
{{- end -}}

{{- /* What values.schema.json cannot say, or not in words: values that could not work. All that is wrong is named at once. */ -}}
{{- define "tidemark-volume.check" -}}
{{- $wrong := include "tidemark-volume.wrongConfig" . | fromJsonArray -}}
{{- $wrong = concat $wrong (include "tidemark-volume.wrongResources" . | fromJsonArray) (include "tidemark-volume.wrongPod" . | fromJsonArray) -}}
{{- if $wrong -}}
{{- fail (join "; " $wrong) -}}
{{- end -}}
{{- end -}}
